#!/usr/bin/env node
import { beginLeanStart } from './lean-start.js';

beginLeanStart();
// Asked for now: what is imported above would be loaded before.
await import('./run-program.js');
