import type {
  LicenseCondition,
  LicenseLimitation,
  LicensePermission,
  LicenseSummary,
} from '../../../domain/templates/license.js';

interface ListedLicense {
  /** What its file in the list of licenses is called. */
  readonly spdxId: string;
  readonly license: LicenseSummary;
}

const USE: readonly LicensePermission[] = ['commercial-use', 'modifications', 'distribution', 'private-use'];
const USE_WITH_PATENTS: readonly LicensePermission[] = [...USE, 'patent-use'];
const NO_LIABILITY: readonly LicenseLimitation[] = ['liability', 'warranty'];
const NO_TRADEMARKS: readonly LicenseLimitation[] = ['trademark-use', ...NO_LIABILITY];
const NEITHER_PATENTS: readonly LicenseLimitation[] = ['patent-use', ...NO_TRADEMARKS];

type Terms = Pick<LicenseSummary, 'permissions' | 'conditions' | 'limitations'>;

const terms = (
  permissions: readonly LicensePermission[],
  conditions: readonly LicenseCondition[],
  limitations: readonly LicenseLimitation[],
): Terms => ({ permissions, conditions, limitations });

const PERMISSIVE = terms(USE, ['include-copyright'], NO_LIABILITY);
const NO_CONDITIONS = terms(USE, [], NO_LIABILITY);
const COPYLEFT = ['include-copyright', 'document-changes', 'disclose-source'] as const;
const GPL_2 = terms(USE, [...COPYLEFT, 'same-license'], NO_LIABILITY);
const GPL_3 = terms(USE_WITH_PATENTS, [...COPYLEFT, 'same-license'], NO_LIABILITY);
const AGPL = terms(USE_WITH_PATENTS, [...COPYLEFT, 'network-use-disclose', 'same-license'], NO_LIABILITY);
const LGPL_2 = terms(USE, [...COPYLEFT, 'same-license--library'], NO_LIABILITY);
const LGPL_3 = terms(USE_WITH_PATENTS, [...COPYLEFT, 'same-license--library'], NO_LIABILITY);

type About = Pick<LicenseSummary, 'key' | 'name' | 'description'> &
  Partial<Pick<LicenseSummary, 'nickname' | 'popular'>>;

const license = (spdxId: string, about: About, of: Terms): ListedLicense => {
  const url = `https://spdx.org/licenses/${spdxId}.html`;
  return { spdxId, license: { nickname: null, popular: false, ...about, url, ...of } };
};

/** The licenses that people choose from, the best known first. */
export const LICENSES: readonly ListedLicense[] = [
  license(
    'MIT',
    {
      key: 'mit',
      popular: true,
      name: 'MIT License',
      description: 'Short: do what you like, and keep the notice of the copyright.',
    },
    PERMISSIVE,
  ),
  license(
    'Apache-2.0',
    {
      key: 'apache-2.0',
      popular: true,
      name: 'Apache License 2.0',
      description: 'Do what you like, say what you changed, and keep the notices. Contributors grant their patents.',
    },
    terms(USE_WITH_PATENTS, ['include-copyright', 'document-changes'], NO_TRADEMARKS),
  ),
  license(
    'GPL-3.0-only',
    {
      key: 'gpl-3.0',
      popular: true,
      name: 'GNU General Public License v3.0',
      nickname: 'GNU GPLv3',
      description: 'Who passes the program on, changed or not, passes on its source under the same license.',
    },
    GPL_3,
  ),
  license(
    'GPL-2.0-only',
    {
      key: 'gpl-2.0',
      popular: true,
      name: 'GNU General Public License v2.0',
      nickname: 'GNU GPLv2',
      description: 'Who passes the program on passes on its source under the same license. Says nothing of patents.',
    },
    GPL_2,
  ),
  license(
    'AGPL-3.0-only',
    {
      key: 'agpl-3.0',
      popular: true,
      name: 'GNU Affero General Public License v3.0',
      nickname: 'GNU AGPLv3',
      description: 'As the GPL, and who lets others use the program over a network offers them its source, too.',
    },
    AGPL,
  ),
  license(
    'LGPL-3.0-only',
    {
      key: 'lgpl-3.0',
      popular: true,
      name: 'GNU Lesser General Public License v3.0',
      nickname: 'GNU LGPLv3',
      description: 'For libraries: changes to the library stay free, programs that use it may have any license.',
    },
    LGPL_3,
  ),
  license(
    'LGPL-2.1-only',
    {
      key: 'lgpl-2.1',
      name: 'GNU Lesser General Public License v2.1',
      nickname: 'GNU LGPLv2.1',
      description: 'The older license for libraries. Says nothing of patents.',
    },
    LGPL_2,
  ),
  license(
    'BSD-2-Clause',
    {
      key: 'bsd-2-clause',
      popular: true,
      name: 'BSD 2-Clause "Simplified" License',
      description: 'Do what you like, and keep the notice in sources and in what is made of them.',
    },
    PERMISSIVE,
  ),
  license(
    'BSD-3-Clause',
    {
      key: 'bsd-3-clause',
      popular: true,
      name: 'BSD 3-Clause "New" or "Revised" License',
      description: 'As the license of two clauses, and nobody advertises with the names of the authors.',
    },
    PERMISSIVE,
  ),
  license(
    'MPL-2.0',
    {
      key: 'mpl-2.0',
      popular: true,
      name: 'Mozilla Public License 2.0',
      description: 'Changed files stay under the license with their source; files beside them may have any other.',
    },
    terms(USE_WITH_PATENTS, ['include-copyright', 'disclose-source', 'same-license--file'], NO_TRADEMARKS),
  ),
  license(
    'Unlicense',
    {
      key: 'unlicense',
      popular: true,
      name: 'The Unlicense',
      description: 'Gives the work to the public, without any condition.',
    },
    NO_CONDITIONS,
  ),
  license(
    'CC0-1.0',
    {
      key: 'cc0-1.0',
      name: 'Creative Commons Zero v1.0 Universal',
      description: 'Waives all rights as far as the law lets. For texts, data and works of art.',
    },
    terms(USE, [], NEITHER_PATENTS),
  ),
  license(
    'CC-BY-4.0',
    {
      key: 'cc-by-4.0',
      name: 'Creative Commons Attribution 4.0 International',
      description: 'For texts and works of art: name the author, and say what you changed.',
    },
    terms(USE, ['include-copyright', 'document-changes'], NEITHER_PATENTS),
  ),
  license(
    'CC-BY-SA-4.0',
    {
      key: 'cc-by-sa-4.0',
      name: 'Creative Commons Attribution Share Alike 4.0 International',
      description: 'As Attribution, and what is made of it has the same license.',
    },
    terms(USE, ['include-copyright', 'document-changes', 'same-license'], NEITHER_PATENTS),
  ),
  license(
    'BSL-1.0',
    {
      key: 'bsl-1.0',
      name: 'Boost Software License 1.0',
      description: 'Do what you like; the notice stays with sources alone, not with programs.',
    },
    terms(USE, ['include-copyright--source'], NO_LIABILITY),
  ),
  license(
    'EPL-2.0',
    {
      key: 'epl-2.0',
      name: 'Eclipse Public License 2.0',
      description: 'What is changed is passed on with its source; modules beside it may have any license.',
    },
    terms(USE_WITH_PATENTS, ['include-copyright', 'disclose-source', 'same-license'], NO_LIABILITY),
  ),
  license(
    'EUPL-1.2',
    {
      key: 'eupl-1.2',
      name: 'European Union Public License 1.2',
      description: 'What is changed is passed on with its source, over a network, too. In the languages of the Union.',
    },
    terms(USE_WITH_PATENTS, [...COPYLEFT, 'network-use-disclose', 'same-license'], NO_TRADEMARKS),
  ),
  license(
    'OFL-1.1',
    {
      key: 'ofl-1.1',
      name: 'SIL Open Font License 1.1',
      description: 'For fonts: they may be bundled and changed, and are not sold by themselves.',
    },
    terms(USE, ['include-copyright', 'same-license'], NO_LIABILITY),
  ),
  license(
    'MulanPSL-2.0',
    {
      key: 'mulanpsl-2.0',
      name: 'Mulan Permissive Software License, Version 2',
      description: 'Do what you like, and keep the notice. In Chinese and English; contributors grant their patents.',
    },
    terms(USE_WITH_PATENTS, ['include-copyright'], NO_TRADEMARKS),
  ),
  license(
    'UPL-1.0',
    {
      key: 'upl-1.0',
      name: 'Universal Permissive License v1.0',
      description: 'Do what you like, and keep the notice. Contributors grant their patents.',
    },
    terms(USE_WITH_PATENTS, ['include-copyright'], NO_LIABILITY),
  ),
  license(
    'Zlib',
    { key: 'zlib', name: 'zlib License', description: 'Do what you like, and don’t claim that you wrote it.' },
    terms(USE, ['include-copyright--source', 'document-changes'], NO_LIABILITY),
  ),
  license(
    'MIT-0',
    { key: 'mit-0', name: 'MIT No Attribution', description: 'As the MIT License, and the notice need not be kept.' },
    NO_CONDITIONS,
  ),
];
