"""OpenHands: V0 and V1 events, conversation folders, logs of requests, extracted text."""
