"""Guard rules: what a program around an agent can watch for in order to stop it. The post-mortem replays some, the
backtest all."""
