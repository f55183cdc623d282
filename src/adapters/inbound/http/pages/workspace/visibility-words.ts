import { VISIBILITIES, type Visibility } from '../../../../../domain/shared/visibility.js';

const WORDS: Readonly<Record<Visibility, string>> = {
  private: 'Private: its members',
  internal: 'Internal: everybody who is signed in',
  public: 'Public: everybody',
};

/** The choices of who sees a group or project. */
export const VISIBILITY_OPTIONS = VISIBILITIES.map((visibility) => [visibility, WORDS[visibility]] as const);

export const visibilityIn = (text: string): Visibility => VISIBILITIES.find((each) => each === text) ?? 'private';
