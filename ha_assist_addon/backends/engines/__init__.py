"""The native runtimes, each as its child process sees it; the libraries themselves are imported only there."""
