import { describe, expect, it } from '@jest/globals';
import { withoutSecrets } from '../../../src/domain/webhooks/without-secrets.js';

describe('the answer of a receiver', () => {
  it.each([
    ['a whisper-secret b whisper-secret', ['whisper-secret'], 'a [secret] b [secret]'],
    ['Bad key: whisper-secret', ['Bearer whisper-secret'], 'Bad key: [secret]'],
    ['Bearer whisper-secret', ['Bearer whisper-secret'], '[secret]'],
    ['{"key":"say \\"whisper\\""}', ['say "whisper"'], '{"key":"[secret]"}'],
    ['whisper-secret-more', ['whisper-secret', 'whisper-secret-more'], '[secret]'],
    ['$& whisper-secret', ['whisper-secret'], '$& [secret]'],
  ])('repeats no secret that was sent: %j', (text, secrets, kept) => {
    expect(withoutSecrets(text, secrets)).toBe(kept);
  });

  it('is kept as it is otherwise, also where something short was sent', () => {
    expect(withoutSecrets('{"ok":true,"team":"a"}', ['a', '', 'Bearer ok', 'elsewhere'])).toBe(
      '{"ok":true,"team":"a"}',
    );
  });
});
