import { Invalid } from '../shared/domain-error.js';
import type { ProjectId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';

/** One that is `stopping` waits for the job that stops it. */
export const ENVIRONMENT_STATES = ['available', 'stopping', 'stopped'] as const;
export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number];

/** What an environment is for, in the words that clients know. */
export const ENVIRONMENT_TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type EnvironmentTier = (typeof ENVIRONMENT_TIERS)[number];

/** A place that code is brought to, such as `production` or `review/topic`. */
export interface Environment {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly name: string;
  /** The name as it can stand in an address: it stays when the name changes. */
  readonly slug: string;
  readonly externalUrl: string | null;
  readonly tier: EnvironmentTier;
  readonly state: EnvironmentState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it is stopped by itself. */
  readonly autoStopAt: Date | null;
}

/** What people say of an environment. */
export type EnvironmentFields = Pick<Environment, 'name' | 'externalUrl' | 'tier'>;

const MAX_ENVIRONMENT_NAME = 255;
const MAX_EXTERNAL_URL = 255;
/** Of a project. Those that are stopped count, and make room for others. */
export const MOST_ENVIRONMENTS = 1_000;

const NAME = /^[A-Za-z0-9_/${}. -]+$/;
const ADDRESS = /^https?:\/\/[^\s/?#]\S*$/i;

/** Whether pages may link to it as where an environment is. */
export const isExternalUrl = (url: string): boolean =>
  url.length <= MAX_EXTERNAL_URL && ADDRESS.test(url) && URL.canParse(url);

/** @throws Invalid at `name` and `external_url`. */
export const checkEnvironment = ({ name, externalUrl }: Pick<Environment, 'name' | 'externalUrl'>): void => {
  const problems = new ProblemCollector();
  if (name.trim() === '') problems.add('name', "can't be blank");
  else
    problems
      .check(name.length <= MAX_ENVIRONMENT_NAME, 'name', `is too long (maximum is ${MAX_ENVIRONMENT_NAME} characters)`)
      .check(
        NAME.test(name) && !name.startsWith('/') && !name.endsWith('/'),
        'name',
        "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
      );
  problems
    .check(
      externalUrl === null || externalUrl.length <= MAX_EXTERNAL_URL,
      'external_url',
      `is too long (maximum is ${MAX_EXTERNAL_URL} characters)`,
    )
    .check(
      externalUrl === null || externalUrl.length > MAX_EXTERNAL_URL || isExternalUrl(externalUrl),
      'external_url',
      'is blocked: Only allowed schemes are http, https',
    )
    .refuse();
};

/** @throws Invalid. */
export const requireRoomForEnvironment = (environments: number): void => {
  if (environments >= MOST_ENVIRONMENTS)
    throw new Invalid({ base: [`Maximum number of environments (${MOST_ENVIRONMENTS}) exceeded`] });
};

/** Parts of names by which it is told what an environment is for; the first row that has one of them decides. */
const WORDS_OF_TIERS: readonly (readonly [EnvironmentTier, readonly string[]])[] = [
  ['development', ['dev', 'review', 'trunk']],
  ['testing', ['test', 'tst', 'int', 'acpt', 'accept', 'qa', 'qc', 'control', 'quality']],
  ['staging', ['stg', 'stag', 'model', 'modl', 'pre', 'demo', 'non']],
  ['production', ['prd', 'prod', 'live']],
];

/** What an environment is for where nobody says it. */
export const guessTier = (name: string): EnvironmentTier => {
  const folded = name.toLowerCase();
  return WORDS_OF_TIERS.find(([, words]) => words.some((word) => folded.includes(word)))?.[0] ?? 'other';
};

export const MAX_SLUG = 24;
const SUFFIX = 6;
const BASE = 36;

/** The same characters for the same name, and others for nearly every other. */
const suffixOf = (name: string): string => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash % BASE ** SUFFIX).toString(BASE).padStart(SUFFIX, '0');
};

/** The name in small letters, digits and `-`, a letter first. */
const foldedOf = (name: string): string => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return /^[a-z]/.test(plain) ? plain : `env-${plain}`.replaceAll(/-+/g, '-');
};

/** The same, ended by characters that are made of the whole name: for one whose slug another has that was called so before. */
export const longerSlugOf = (name: string): string => {
  const kept = foldedOf(name)
    .slice(0, MAX_SLUG - SUFFIX - 1)
    .replace(/-+$/, '');
  return `${kept}-${suffixOf(name)}`;
};

/**
 * The name as it can stand in an address or be the name of a host: small letters, digits and `-`, a letter first, at most 24 of them. One
 * that isn't the name itself ends in characters that are made of the whole name.
 */
export const slugOf = (name: string): string => {
  const folded = foldedOf(name);
  return folded === name && name.length <= MAX_SLUG && !name.endsWith('-') ? name : longerSlugOf(name);
};
