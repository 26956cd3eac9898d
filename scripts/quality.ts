const [name = '', ...options] = process.argv.slice(2);

const reports: Record<string, () => Promise<unknown>> = {
  evidence: async () => (await import('../tests/quality/evidence/report.ts')).reportOnEvidence(),
  'index-recall': async () =>
    (await import('../tests/quality/index-recall/report.ts')).reportOnIndexRecall(),
  'own-libraries': async () =>
    (await import('../tests/quality/own-libraries/report.ts')).reportOnOwnLibraries(options),
  ranking: async () => (await import('../tests/quality/fitting/report.ts')).reportOnRanking(),
  relevance: async () =>
    (await import('../tests/quality/fitting/relevance.ts')).reportOnRelevance(),
  squad: async () => (await import('../tests/quality/squad/end-to-end.ts')).reportOnSquad(),
  'private-library': reportOnPrivateLibrary,
};

async function reportOnPrivateLibrary(): Promise<void> {
  const others = options.filter((option) => option !== '--reader');
  if (others.length < options.length) {
    const { reportWithReader } = await import('../tests/quality/private-library/with-reader.ts');
    return reportWithReader(others);
  }
  const report = await import('../tests/quality/private-library/report.ts');
  return report.reportOnPrivateLibrary(others);
}

if (Object.hasOwn(reports, name)) await reports[name]?.();
else {
  await import('../tests/quality/retrieval/report.ts');
  await reportOnPrivateLibrary();
}
