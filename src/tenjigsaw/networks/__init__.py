"""The torch definitions of the learned edge measures (extra ``train``)."""
