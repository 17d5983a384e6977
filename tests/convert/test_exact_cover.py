"""Exact-cover matrices, solved by a few lines of Algorithm X."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from sudokulab import BoxShape, Puzzle, SudokulabError, count, is_solution, parse
from sudokulab.convert import decode_exact_cover, exact_cover, write_exact_cover
from tests.cases import for_each
from tests.puzzles import BOXES, EASY, SMALL, TINY, full_grid, random_instance


def covers(matrix: list[list[int]], num_columns: int) -> Iterator[list[int]]:
    """Yield all exact covers as lists of 1-based row numbers, by Knuth's Algorithm X on dictionaries."""
    columns = {column: {i for i, row in enumerate(matrix, 1) if column in row} for column in range(1, num_columns + 1)}

    def search(left: dict[int, set[int]], chosen: list[int]) -> Iterator[list[int]]:
        if not left:
            yield chosen
            return
        for row in min(left.values(), key=len):
            covered = set(matrix[row - 1])
            gone = set().union(*(left[column] for column in covered))
            yield from search({c: rows - gone for c, rows in left.items() if c not in covered}, [*chosen, row])

    return search(columns, [])


@for_each(
    "puzzle",
    [TINY, SMALL, EASY, random_instance((3, 2), 14, seed=1), random_instance((2, 4), 40, seed=2), full_grid((3, 4))],
    ids=str,
)
def test_algorithm_x_solves_the_matrix(puzzle: Puzzle) -> None:
    rows = next(covers(exact_cover(puzzle).tolist(), 4 * puzzle.size**2))
    assert is_solution(decode_exact_cover(puzzle, rows).givens, puzzle)


@for_each("puzzle", ["." * 16, "12" + "." * 14, "1.....3..4......", "123....4........"])
def test_covers_and_solutions_correspond_one_to_one(puzzle: str) -> None:
    found = [decode_exact_cover(parse(puzzle), rows).line for rows in covers(exact_cover(parse(puzzle)).tolist(), 64)]
    assert len(set(found)) == len(found) == count(puzzle)


def test_clashing_givens_have_no_cover() -> None:
    assert not list(covers(exact_cover(parse("11" + "." * 14)).tolist(), 64))


@for_each("box", BOXES, ids=str)
def test_without_givens_every_candidate_is_a_row_and_every_column_has_size_rows(box: BoxShape) -> None:
    matrix = exact_cover(Puzzle.empty(box))
    assert matrix.shape == (box.size**3, 4)
    columns, counts = zip(*sorted({c: (matrix == c).sum() for c in set(matrix.ravel().tolist())}.items()), strict=True)
    assert columns == tuple(range(1, 4 * box.size**2 + 1))
    assert set(counts) == {box.size}


def test_candidates_that_clash_with_a_given_are_omitted() -> None:
    peers = {1, 2, 3, 4, 5, 6, 9, 13}  # of r1c1, including itself
    candidates = [(cell, digit) for cell in range(1, 17) for digit in range(1, 5)]
    left = [(c, d) for c, d in candidates if (c, d) == (1, 1) or (c != 1 and not (c in peers and d == 1))]
    matrix = exact_cover(parse("1" + "." * 15))
    assert [cell for cell, _, _, _ in matrix.tolist()] == [cell for cell, _ in left]
    assert [(row - 17) % 4 + 1 for _, row, _, _ in matrix.tolist()] == [digit for _, digit in left]


def test_files_list_the_columns_of_each_row() -> None:
    stream = io.StringIO()
    write_exact_cover(SMALL, stream)
    lines = stream.getvalue().splitlines()
    rows = [[int(word) for word in line.split()] for line in lines if not line.startswith("c ")]
    assert rows == exact_cover(SMALL).tolist()
    assert f"{len(rows)} rows, 144 columns" in lines[0]
    assert SMALL.line in lines[1]


def test_rows_are_read_from_text_in_any_order() -> None:
    rows = next(covers(exact_cover(TINY).tolist(), 64))
    text = "c chosen rows\n" + "\n".join(map(str, reversed(rows)))
    assert decode_exact_cover(TINY, text) == decode_exact_cover(TINY, rows)


@for_each(
    ("answer", "complaint"),
    [
        ("", "the answer has no digit for r1c1"),
        ("1 x", "'x' in the answer is not an integer"),
        ("0", "row 0 in the answer; use 1 to 24"),
        ([25], "row 25 in the answer; use 1 to 24"),
        ([1, 1], "covers r1c1 more than once"),
    ],
)
def test_wrong_choices_are_rejected_with_a_reason(answer: str | list[int], complaint: str) -> None:
    with pytest.raises(SudokulabError, match=complaint):
        decode_exact_cover(TINY, answer)


def test_rows_that_do_not_form_a_cover_are_rejected() -> None:
    with pytest.raises(SudokulabError, match="does not solve this puzzle"):
        decode_exact_cover(Puzzle.empty(4), range(1, 65, 4))
