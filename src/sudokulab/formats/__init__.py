"""Puzzles as text: one module per format, and format detection.

`read` opens a file of any format, compressed or not, and yields its puzzles one by one; `parse` reads one puzzle from a
string; `write` writes any format. Files of millions of puzzles are streamed.

The names are listed in ``__init__.pyi``. Each is imported on first use: a plain 9×9 text needs no parser.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
