const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** HTML of a text that took too long to be understood: as it was written. */
export const asWritten = (written: string): string =>
  `<pre>${written.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign)}</pre>\n`;
