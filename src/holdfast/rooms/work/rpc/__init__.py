"""RPC: the fifteen events as scripts tell them (`events`), and what a script needs about efforts (`efforts`)."""
