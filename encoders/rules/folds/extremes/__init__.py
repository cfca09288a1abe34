"""The least and the largest heap of a position: folds, what holds of them, and what is said by way of them."""
