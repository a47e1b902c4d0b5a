"""Training of edge networks (extra ``train``): pictures -> blocks of pieces -> network -> loss."""
