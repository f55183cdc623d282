import type { SecretBox } from '../shared/ports/secrets.js';
import type { StoredPurpose } from './ports/sealed-values.js';

/** The boxes of one secret key. */
export type KeyBoxes = Readonly<Record<StoredPurpose | 'sentinel', SecretBox>>;

/** The previous key is there while a rotation runs. */
export interface Boxes {
  readonly current: KeyBoxes;
  readonly previous: KeyBoxes | undefined;
}

/** The plain text, or undefined where the box was not what sealed it. */
export const tryOpen = (box: SecretBox | undefined, sealed: string): string | undefined => {
  try {
    return box?.open(sealed);
  } catch {
    return undefined;
  }
};
