"""A bot in 40 lines: it builds low, and avoids holes and the end of the game.

As a program: tetrolab eval 'exec(python3 crates/py/examples/bots/low_and_flat.py)' --games 10
As an object: tetrolab.evaluate(LowAndFlat(), games=10)
"""
import json
import sys
from typing import Any


class LowAndFlat:
    def choose(self, position: dict[str, Any]) -> str:
        rows = [[cell == "#" for cell in row] for row in reversed(position["board"])]
        costs = [self.cost(rows, cells) for cells in position["cells"]]
        ranks = list(zip(position["loses"], costs))
        placements: list[str] = position["placements"]
        return placements[ranks.index(min(ranks))]

    def cost(self, rows: list[list[bool]], cells: list[list[int]]) -> int:
        after = [list(row) for row in rows] + [[False] * len(rows[0]) for _ in range(4)]
        for row, column in cells:
            after[row][column] = True
        after = [row for row in after if not all(row)]
        heights = [max((r + 1 for r, cell in enumerate(c) if cell), default=0) for c in zip(*after)]
        holes = sum(heights) - sum(map(sum, after))
        steps = sum(abs(left - right) for left, right in zip(heights, heights[1:]))
        return 8 * holes + 2 * steps + 4 * sum(heights)


def main(bot: LowAndFlat) -> None:
    for message in map(json.loads, sys.stdin):
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
        elif message["type"] == "decide":
            answer = {"id": message["id"], "placement": bot.choose(message)}
            print(json.dumps(answer), flush=True)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main(LowAndFlat())
