"""GitHub Copilot Chat in Visual Studio Code."""
