"""An evaluation in five lines, and a game of random actions in an environment."""

import sys

import gymnasium
import tetrolab

games = 20 if "--quick" in sys.argv else 1000
result = tetrolab.evaluate("bcts", "dellacherie", ruleset="simplified-10x10", games=games)
for player in result:
    print(f"{player.player}: {player.lines.mean} lines, 95 % interval {player.lines.ci95}")

env = gymnasium.make("tetrolab/Placement-v0", ruleset="simplified-10x20")
observation, info = env.reset(seed=1)
terminated = False
while not terminated:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
print(f"random actions: {info['lines']} lines with {info['pieces']} pieces")
