import { describeMergedTrees } from '../support/merged-trees.js';

/** `make prove` looks at many more. */
describeMergedTrees(20);
