"""What the user corrects, asks again or takes back."""
