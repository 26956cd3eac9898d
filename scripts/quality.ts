import '../tests/quality/retrieval/report.ts';
