/** Colours by what they say. */
export const BADGE_COLOURS = {
  good: '#3a7d20',
  fair: '#6f7a10',
  middling: '#8a6d0b',
  poor: '#c0392b',
  going: '#1f6fb2',
  waiting: '#a35c00',
  quiet: '#6b6b6b',
  release: '#1b5faa',
} as const;
export type BadgeColour = keyof typeof BADGE_COLOURS;

/** What a badge of this service says: a word of what it is about, and how that stands. */
export interface StateBadge {
  readonly key: string;
  readonly value: string;
  readonly colour: BadgeColour;
}

const COLOURS_OF_STATUSES: Readonly<Record<string, BadgeColour>> = {
  success: 'good',
  failed: 'poor',
  running: 'going',
  pending: 'waiting',
  waiting_for_resource: 'waiting',
  created: 'waiting',
  scheduled: 'waiting',
};

/** In the words that badges always had, which are not all those of pages. */
const WORDS_OF_STATUSES: Readonly<Record<string, string>> = { success: 'passed' };

/** @param status of a pipeline; undefined where there is none. */
export const pipelineBadge = (status: string | undefined): StateBadge => ({
  key: 'pipeline',
  value: status === undefined ? 'unknown' : (WORDS_OF_STATUSES[status] ?? status.replaceAll('_', ' ')),
  colour: COLOURS_OF_STATUSES[status ?? ''] ?? 'quiet',
});

/** From how many percent on a coverage counts as what. */
export interface CoverageBounds {
  readonly good: number;
  readonly acceptable: number;
  readonly medium: number;
}
export const USUAL_BOUNDS: CoverageBounds = { good: 95, acceptable: 90, medium: 75 };

const colourOfCoverage = (percent: number, { good, acceptable, medium }: CoverageBounds): BadgeColour => {
  if (percent >= good) return 'good';
  if (percent >= acceptable) return 'fair';
  return percent >= medium ? 'middling' : 'poor';
};

/** @param coverage in hundredths of a percent. */
export const coverageBadge = (coverage: number | undefined, bounds = USUAL_BOUNDS): StateBadge => {
  if (coverage === undefined) return { key: 'coverage', value: 'unknown', colour: 'quiet' };
  const percent = coverage / 100;
  return { key: 'coverage', value: `${percent.toFixed(2)}%`, colour: colourOfCoverage(percent, bounds) };
};

/** @param tag of the newest release that is out. */
export const releaseBadge = (tag: string | undefined): StateBadge => ({
  key: 'Latest Release',
  value: tag ?? 'none',
  colour: tag === undefined ? 'quiet' : 'release',
});
