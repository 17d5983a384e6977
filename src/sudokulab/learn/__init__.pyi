from .environment import Rewards as Rewards
from .environment import SudokuEnv as SudokuEnv
from .verifier import Scores as Scores
from .verifier import Verifier as Verifier
