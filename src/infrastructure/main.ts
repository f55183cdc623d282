#!/usr/bin/env node
import { beginLeanStart } from './lean-start.js';
import { refuseOldNode } from './refuse-old-node.js';

refuseOldNode();
beginLeanStart();
// Asked for now: what is imported above would be loaded before.
if (process.argv[2] === 'runner') await import('./run-runner.js');
else await import('./run-program.js');
