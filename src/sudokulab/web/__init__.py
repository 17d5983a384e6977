"""The web page and its HTTP API: ``sudokulab serve``.

Nothing here is imported by the rest of the package except the command. It needs the extra ``web``.
"""
