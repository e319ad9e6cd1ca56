"""What arrives and what may be answered. Values only; how they travel is `road`, what is answered is the rooms'."""
