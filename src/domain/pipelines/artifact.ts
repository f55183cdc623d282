import { secondsOf } from './ci-file/duration.js';
import type { CiArtifacts } from './ci-file/ci-config.js';
import type { ProjectId } from '../shared/identifiers.js';
import type { RoomForFiles } from '../shared/room-for-files.js';

export type ArtifactFormat = 'zip' | 'gzip' | 'raw';

/** What files of jobs are, each with the one format that it comes in, and what it is called unless its file says. */
const TYPES = {
  archive: { format: 'zip', fileName: 'artifacts.zip' },
  metadata: { format: 'gzip', fileName: 'metadata.gz' },
  junit: { format: 'gzip', fileName: 'junit.xml' },
  dotenv: { format: 'gzip', fileName: '.env' },
  cobertura: { format: 'gzip', fileName: 'cobertura-coverage.xml' },
  jacoco: { format: 'gzip', fileName: 'jacoco-coverage.xml' },
  metrics: { format: 'gzip', fileName: 'metrics.txt' },
  codequality: { format: 'raw', fileName: 'gl-code-quality-report.json' },
  sast: { format: 'raw', fileName: 'gl-sast-report.json' },
  secret_detection: { format: 'raw', fileName: 'gl-secret-detection-report.json' },
  dependency_scanning: { format: 'raw', fileName: 'gl-dependency-scanning-report.json' },
  container_scanning: { format: 'raw', fileName: 'gl-container-scanning-report.json' },
  cluster_image_scanning: { format: 'raw', fileName: 'gl-cluster-image-scanning-report.json' },
  dast: { format: 'raw', fileName: 'gl-dast-report.json' },
  license_scanning: { format: 'raw', fileName: 'gl-license-scanning-report.json' },
  coverage_fuzzing: { format: 'raw', fileName: 'gl-coverage-fuzzing.json' },
  api_fuzzing: { format: 'raw', fileName: 'gl-api-fuzzing-report.json' },
  performance: { format: 'raw', fileName: 'performance.json' },
  browser_performance: { format: 'raw', fileName: 'browser-performance.json' },
  load_performance: { format: 'raw', fileName: 'load-performance.json' },
  accessibility: { format: 'raw', fileName: 'gl-accessibility.json' },
  requirements: { format: 'raw', fileName: 'requirements.json' },
  terraform: { format: 'raw', fileName: 'tfplan.json' },
  cyclonedx: { format: 'gzip', fileName: 'gl-sbom.cdx.json' },
} as const satisfies Readonly<Record<string, { readonly format: ArtifactFormat; readonly fileName: string }>>;

export type ArtifactType = keyof typeof TYPES;

export const isArtifactType = (word: string): word is ArtifactType => Object.hasOwn(TYPES, word);
export const formatOf = (type: ArtifactType): ArtifactFormat => TYPES[type].format;

/** A file that a job left. It never changes but in how long it is kept. */
export interface CiArtifact {
  readonly id: number;
  readonly jobId: number;
  readonly projectId: ProjectId;
  readonly type: ArtifactType;
  readonly format: ArtifactFormat;
  readonly fileName: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
  /** What it is called where files lie. */
  readonly fileKey: string;
  /** Null for what is kept until somebody takes it away. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** Their sum is taken for each that comes. */
const MOST_FILES = 100_000;

/** @param mostBytes of all files of a project together; null for as many as there are. */
export const roomOfProject = (mostBytes: number | null): RoomForFiles => ({
  mostFiles: MOST_FILES,
  mostBytes,
  tooMany: `jobs of a project leave at most ${MOST_FILES} files.`,
  tooLarge: `files that jobs of a project leave have at most ${mostBytes ?? Infinity} bytes together.`,
});

/** The zip of what a job says in `artifacts:paths`. */
export const archiveIn = <Artifact extends Pick<CiArtifact, 'type'>>(of: readonly Artifact[]): Artifact | undefined =>
  of.find(({ type }) => type === 'archive');

const ORDINARY_SECONDS = 30 * 86_400;
/** Longer is forever: no calendar of a database goes further. */
const LONGEST_SECONDS = 1_000 * 31_557_600;

/** When a file may go that came then; null for never, undefined where the text says no time. */
export const expiryOf = (expireIn: string | null, at: Date): Date | null | undefined => {
  if (expireIn?.trim().toLowerCase() === 'never') return null;
  const seconds = expireIn === null || expireIn.trim() === '' ? ORDINARY_SECONDS : secondsOf(expireIn);
  if (seconds === undefined) return undefined;
  return seconds > LONGEST_SECONDS ? null : new Date(at.getTime() + seconds * 1_000);
};

/** What a runner is to send once a job has ended. */
export interface WantedArtifact {
  readonly name: string | null;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly untracked: boolean;
  readonly when: CiArtifacts['when'];
  readonly expireIn: string | null;
  readonly type: ArtifactType;
  readonly format: ArtifactFormat;
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
};

/** Of one report, by what the file calls it; coverage says its format and its path. */
const reportOf = (word: string, said: unknown): readonly [ArtifactType, readonly string[]] | undefined => {
  if (word !== 'coverage_report') return isReport(word) ? [word, textsIn(said)] : undefined;
  const { coverage_format: format, path } = (said ?? {}) as Readonly<Record<string, unknown>>;
  return format === 'cobertura' || format === 'jacoco' ? [format, textsIn(path)] : undefined;
};

const isReport = (word: string): word is ArtifactType =>
  isArtifactType(word) && word !== 'archive' && word !== 'metadata';

/** Whatever `artifacts` of a job asks for: an archive of its paths, and each report that is known. */
export const wantedOf = (artifacts: CiArtifacts | null): readonly WantedArtifact[] => {
  if (artifacts === null) return [];
  const { name, paths, exclude, untracked, when, expireIn, reports } = artifacts;
  const archive = paths.length > 0 || untracked ? [{ name, paths, exclude, untracked, when, expireIn }] : [];
  const told = typeof reports === 'object' && reports !== null && !Array.isArray(reports) ? reports : {};
  return [
    ...archive.map((each) => ({ ...each, type: 'archive' as const, format: formatOf('archive') })),
    ...Object.entries(told).flatMap(([word, said]) => {
      const report = reportOf(word, said);
      if (report === undefined || report[1].length === 0) return [];
      const [type, of] = report;
      // Of tests that failed above all one wants to know which.
      const always = { when: 'always' as const, exclude: [], untracked: false, expireIn };
      return [{ name: TYPES[type].fileName, paths: of, ...always, type, format: formatOf(type) }];
    }),
  ];
};

/** What a file is called whose sender doesn't say. */
export const ordinaryNameOf = (type: ArtifactType): string => TYPES[type].fileName;
