const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** HTML of a text that is none, to stand between tags or within quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);

/** HTML of a text that took too long to be understood: as it was written. */
export const asWritten = (written: string): string => `<pre>${escaped(written)}</pre>\n`;
