"""Claims about heaps with parts, and about large heaps that are numbers, as WebAssembly."""
