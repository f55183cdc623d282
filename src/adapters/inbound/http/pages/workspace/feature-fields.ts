import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import {
  FEATURE_LEVELS,
  PROJECT_FEATURES,
  type FeatureLevel,
  type FeatureLevels,
  type ProjectFeature,
} from '../../../../../domain/workspace/project-features.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

const LEVEL_WORDS: Readonly<Record<FeatureLevel, string>> = {
  enabled: 'Whoever sees the project',
  private: 'Members only',
  disabled: 'Nobody: switched off',
};

const FEATURE_WORDS: Readonly<Record<ProjectFeature, string>> = {
  repository: 'Repository',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  builds: 'CI',
  forking: 'Forks',
  snippets: 'Snippets',
  releases: 'Releases',
};

type FeatureField = `${ProjectFeature}_access_level`;

const fieldOf = (feature: ProjectFeature): FeatureField => `${feature}_access_level`;

/** The fields of the settings of a project that say who uses which part of it. */
export const FEATURE_FIELDS = PROJECT_FEATURES.map((feature) => [fieldOf(feature), FEATURE_WORDS[feature]] as const);

export const FEATURE_OPTIONS = FEATURE_LEVELS.toReversed().map((level) => [level, LEVEL_WORDS[level]] as const);

/** What the fields hold. */
export const featureValues = (features: FeatureLevels): Record<FeatureField, string> =>
  Object.fromEntries(PROJECT_FEATURES.map((feature) => [fieldOf(feature), features[feature]])) as Record<
    FeatureField,
    string
  >;

/** What was chosen; a form without such a field leaves it as it is. @throws BadRequest for what the page doesn't offer. */
export const featuresIn = ({ request }: PageContext): Partial<FeatureLevels> =>
  Object.fromEntries(
    PROJECT_FEATURES.flatMap((feature) => {
      const sent = field(request, fieldOf(feature));
      if (sent === '') return [];
      const level = FEATURE_LEVELS.find((each) => each === sent);
      if (level === undefined) throw new BadRequest(`${fieldOf(feature)} is not one of the choices`);
      return [[feature, level]];
    }),
  );
