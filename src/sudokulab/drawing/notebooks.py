"""Pictures in notebooks, at a size that leaves room for the next cell."""

from __future__ import annotations

from html import escape

__all__ = ["figure"]


def figure(svg: str, caption: str = "") -> str:
    """Return an SVG document with a caption as an HTML element."""
    words = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure style="max-width: 24em; margin: 0">{svg}{words}</figure>'
