import { describe, expect, it } from '@jest/globals';
import { MOST_LABELS, requireRoomForLabels } from '../../../../src/domain/planning/label.js';

describe('the labels of one thing', () => {
  it('are so many at most', () => {
    expect(() => requireRoomForLabels(MOST_LABELS, MOST_LABELS)).not.toThrow();
    expect(() => requireRoomForLabels(MOST_LABELS + 1, 1)).toThrow(`labels are at most ${MOST_LABELS}`);
  });

  it('become fewer where there were more before', () => {
    expect(() => requireRoomForLabels(MOST_LABELS + 10, 0)).not.toThrow();
  });
});
