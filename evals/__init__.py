"""Measures against the bars they must hold, on public data sets or of processes on this machine, and measures of one's
own documents by one's own questions: `footnote eval`."""
