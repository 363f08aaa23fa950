"""Guard rules: what can be watched for to stop an agent. The post-mortem replays some, the backtest all."""
