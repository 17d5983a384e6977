// Give each animation the height of its content, so that it needs no scroll bar of its own.
addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll("iframe.animation")) {
    if (frame.contentWindow === source && data?.height) frame.style.height = `${data.height + 2}px`; // 2: the border
  }
});
