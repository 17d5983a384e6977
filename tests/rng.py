"""The random numbers of the native core, reimplemented to replay its searches in Python."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def _rotate_left(word: int, shift: int) -> int:
    return (word << shift | word >> (64 - shift)) & _MASK


class Rng:
    """xoshiro256++ with a state from splitmix64."""

    def __init__(self, seed: int) -> None:
        self._state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & _MASK
            z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
            z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
            self._state.append(z ^ z >> 31)

    def next(self) -> int:
        a, b, c, d = self._state
        result = (_rotate_left((a + d) & _MASK, 23) + a) & _MASK
        c ^= a
        d ^= b
        self._state = [a ^ d, b ^ c, c ^ (b << 17 & _MASK), _rotate_left(d, 45)]
        return result

    def below(self, bound: int) -> int:
        """Return an integer from 0 to bound − 1."""
        while True:
            product = (self.next() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def shuffle(self, items: list[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
