import type { CiRelease, CiReleaseLink } from '../../../../../domain/pipelines/ci-file/ci-config.js';

const sentLink = ({ name, url, filepath, linkType }: CiReleaseLink) => ({
  ...{ name, url },
  ...(filepath !== null && { filepath }),
  ...(linkType !== null && { link_type: linkType }),
});

/** For a shell: its variables are put in, and nothing else is taken for more than text. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\`]|\$\(/g, '\\$&')}"`;

/**
 * The step by which a job makes a release. A runner that knows `release` makes it itself; any other runs `release-cli`, which the job's image has
 * to have.
 */
export const releaseStep = (release: CiRelease) => {
  const { tagName, tagMessage, name, description, releasedAt, links, milestones = [] } = release;
  // A tag that isn't there yet is made where the job is.
  const ref = release.ref ?? '$CI_COMMIT_SHA';
  const sent = links.map(sentLink);
  const options: readonly (readonly [string, string | null])[] = [
    ['--name', name],
    ['--tag-name', tagName],
    ['--tag-message', tagMessage],
    ['--description', description],
    ['--ref', ref],
    ['--released-at', releasedAt],
    ...milestones.map((title) => ['--milestone', title] as const),
    ...sent.map((link) => ['--assets-link', JSON.stringify(link)] as const),
  ];
  const told = options.flatMap(([option, value]) => (value === null ? [] : [`${option} ${quoted(value)}`]));
  return {
    script: [`release-cli create ${told.join(' ')}`],
    release: {
      ...{ tag_name: tagName, tag_message: tagMessage, name, description, ref, released_at: releasedAt },
      ...(milestones.length > 0 && { milestones }),
      assets: { links: sent },
    },
  };
};
