"""The empty player, into which the page inserts a run to save it as one HTML file."""

from __future__ import annotations

from fastapi import APIRouter, Response

from sudokulab.publishing.animation import player_page

__all__ = ["router"]

router = APIRouter()


@router.get("/api/player.html", include_in_schema=False)
async def empty_player() -> Response:
    """Return the player without a recording. Opened as a page it does nothing: the policy forbids its scripts."""
    return Response(player_page(), media_type="text/html; charset=utf-8")
