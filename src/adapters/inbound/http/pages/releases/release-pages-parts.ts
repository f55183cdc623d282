import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { MilestoneReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { ReleaseReader } from '../../../../../application/repositories/ports/release-repository.js';
import type { Releases } from '../../../../../application/repositories/releases.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import type { ProjectMarkdown } from '../project-markdown.js';

export interface ReleasePagesParts extends CodePagesParts {
  readonly releases: Releases;
  readonly releaseReader: ReleaseReader;
  readonly milestoneReader: MilestoneReader;
  readonly users: UserReader;
  readonly markdown: ProjectMarkdown;
  readonly clock: Clock;
}
