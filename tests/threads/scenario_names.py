"""The names of the functions in scenarios.py, which is a program and is not imported."""

import ast
from pathlib import Path

_tree = ast.parse(Path(__file__).with_name("scenarios.py").read_text())
NAMES = next([element.id for element in node.value.elts] for node in _tree.body
             if isinstance(node, ast.Assign) and node.targets[0].id == "SCENARIOS")
