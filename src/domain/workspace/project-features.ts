import { isWithin, type Visibility } from '../shared/visibility.js';

/** Parts of a project that can be switched off, or kept to its members. */
export const PROJECT_FEATURES = [
  'repository',
  'issues',
  'merge_requests',
  'builds',
  'forking',
  'snippets',
  'releases',
] as const;
export type ProjectFeature = (typeof PROJECT_FEATURES)[number];

/** From the narrowest: for nobody, as though the project were private, and as the project is. */
export const FEATURE_LEVELS = ['disabled', 'private', 'enabled'] as const;
export type FeatureLevel = (typeof FEATURE_LEVELS)[number];

/** What was set of each. */
export type FeatureLevels = Readonly<Record<ProjectFeature, FeatureLevel>>;

/** A project that nobody has set anything of. */
export const ALL_ENABLED: FeatureLevels = {
  repository: 'enabled',
  issues: 'enabled',
  merge_requests: 'enabled',
  builds: 'enabled',
  forking: 'enabled',
  snippets: 'enabled',
  releases: 'enabled',
};

/** What tells of the code, or gives it away: never more open than the code itself. */
const OF_CODE: ReadonlySet<ProjectFeature> = new Set<ProjectFeature>([
  'merge_requests',
  'builds',
  'forking',
  'releases',
]);

/** The features that must be open for this one to be. */
export const featuresBehind = (feature: ProjectFeature): readonly ProjectFeature[] =>
  OF_CODE.has(feature) ? [feature, 'repository'] : [feature];

/** How open a feature is, by what was set of it and of what it tells of. */
export const levelOfFeature = (features: FeatureLevels, feature: ProjectFeature): FeatureLevel => {
  const set = featuresBehind(feature).map((each) => features[each]);
  return FEATURE_LEVELS.find((level) => set.includes(level)) ?? 'enabled';
};

/** How visible a project is, and its code, which may be kept to its members. */
export interface Openness {
  readonly visibility: Visibility;
  readonly code: Visibility;
}

export const opennessOf = (visibility: Visibility, repository: FeatureLevel): Openness => ({
  visibility,
  code: repository === 'enabled' ? visibility : 'private',
});

/** Whether one is no more visible than another, and its code no more than that of the other. */
export const isNoMoreOpen = (one: Openness, limit: Openness): boolean =>
  isWithin(one.visibility, limit.visibility) && isWithin(one.code, limit.code);

/** Whether anybody at all may use it. */
export const isFeatureOn = ({ features }: { readonly features: FeatureLevels }, feature: ProjectFeature): boolean =>
  levelOfFeature(features, feature) !== 'disabled';
