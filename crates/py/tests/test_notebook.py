"""The example notebook runs from its first cell to its last, and shows its results."""

import ast
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tour.ipynb"


def run(source, names):
    """Runs a cell; the value of its last expression, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "", "eval"), names)


def test_the_notebook_runs(capsys):
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    names, shown = {}, []
    for cell in cells:
        if cell["cell_type"] == "code":
            shown.append(run("".join(cell["source"]), names))
    result, means, analysed, own, _ = shown
    assert "<table" in result._repr_html_() and set(means) == {"bcts", "dellacherie"}
    assert analysed._repr_svg_().startswith("<svg") and own == ["bcts", "First"]
    assert "lines by random placements" in capsys.readouterr().out
