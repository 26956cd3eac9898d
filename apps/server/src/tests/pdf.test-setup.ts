/** A page of lines as a PDF. */
export function pdf(lines: readonly string[]): Buffer {
  const textOperators = lines.map((line) => `(${line}) Tj 0 -20 Td `).join('');
  const content = `BT /F1 12 Tf 72 720 Td ${textOperators}ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let out = '%PDF-1.4\n';
  const places = objects.map((text, index) => {
    const place = out.length;
    out += `${index + 1} 0 obj\n${text}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
  return Buffer.from(`${out}xref\n0 6\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}
