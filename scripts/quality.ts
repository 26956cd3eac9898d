const [name, ...options] = process.argv.slice(2);

if (name === 'ranking') {
  const { reportOnRanking } = await import('../tests/quality/fitting/report.ts');
  await reportOnRanking();
} else if (name === 'squad') {
  const { reportOnSquad } = await import('../tests/quality/squad/end-to-end.ts');
  await reportOnSquad();
} else if (name === 'relevance') {
  const { reportOnRelevance } = await import('../tests/quality/fitting/relevance.ts');
  await reportOnRelevance();
} else if (name === 'index-recall') {
  const { reportOnIndexRecall } = await import('../tests/quality/index-recall/report.ts');
  await reportOnIndexRecall();
} else if (name === 'own-libraries') {
  const { reportOnOwnLibraries } = await import('../tests/quality/own-libraries/report.ts');
  await reportOnOwnLibraries(options);
} else if (name === 'evidence') {
  const { reportOnEvidence } = await import('../tests/quality/evidence/report.ts');
  await reportOnEvidence();
} else {
  if (name !== 'private-library') await import('../tests/quality/retrieval/report.ts');
  const marks = options.filter((option) => option !== '--reader');
  if (options.includes('--reader')) {
    const { reportWithReader } = await import('../tests/quality/private-library/with-reader.ts');
    await reportWithReader(marks);
  } else {
    const { reportOnPrivateLibrary } = await import('../tests/quality/private-library/report.ts');
    await reportOnPrivateLibrary(marks);
  }
}
