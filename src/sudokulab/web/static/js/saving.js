// Saves runs: as JSON lines, or as one HTML file with the player.

import { getText } from "./api.js";
import { save } from "./elements.js";

/** @import { Recording } from "./recording.js" */

const PLACE = 'id="recording">'; // where the empty player takes the recording

/** @param {Recording} recording */
export function saveLines(recording) {
  save(`${recording.fileName}.jsonl`, recording.toText(), "application/x-ndjson");
}

/** @param {Recording} recording */
export async function saveHtml(recording) {
  save(`${recording.fileName}.html`, withRecording(await getText("player.html"), recording.toText()), "text/html");
}

// Insert a recording into the empty player. No text in it can end the script element.
/** @param {string} player @param {string} lines */
function withRecording(player, lines) {
  return player.replace(PLACE, () => PLACE + lines.replaceAll("<", "\\u003c"));
}
