"""The native runtimes, each as a child process sees it; nothing here is imported by the server itself."""
