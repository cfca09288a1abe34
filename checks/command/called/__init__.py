"""How other programs call the harness: functions of Python, and items of pytest."""
