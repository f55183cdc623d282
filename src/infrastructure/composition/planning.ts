import type { Issues } from '../../application/planning/issues.js';
import type { Labels } from '../../application/planning/labels.js';
import type { Notes } from '../../application/planning/notes.js';
import type { PlanningReader } from '../../application/planning/ports/planning-readers.js';

/** Issues and incidents, comments and labels. */
export interface PlanningUseCases {
  readonly planningReader: PlanningReader;
  readonly issues: Issues;
  readonly notes: Notes;
  readonly labels: Labels;
}
