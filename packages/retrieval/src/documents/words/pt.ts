import type { PaperWords } from './paper-words.ts';

export const pt: PaperWords = {
  kinds: {
    amendment: 'aditamentos?|adendas?|alteraç(?:ão|ões)',
    certificate: 'certificados?|certid(?:ão|ões)|atestados?|diplomas?',
    contract: 'contratos?|acordos?|condições gerais',
    invoice: 'faturas?|facturas?|notas? de (?:crédito|cobrança|débito)',
    journal: 'diários?',
    letter: 'cartas?|avisos?|ofícios?',
    list: 'listas?|inventários?',
    mail: 'e-?mails?|correio eletrónico',
    manual: 'manua(?:l|is)|guias?|instruções|documentação',
    minutes: 'atas?|reuni(?:ão|ões)|assembleias?',
    offer: 'orçamentos?|propostas?',
    payslip: 'recibos? de vencimento|holerites?|contracheques?',
    policy: 'apólices?|seguros?',
    receipt: 'recibos?|talões|talão',
    recipe: 'receitas?',
    report: 'relatórios?|pareceres?|parecer',
    rules: 'estatutos|regulamentos?|regras',
    statement: 'extratos?|extractos?|demonstraç(?:ão|ões)|declaraç(?:ão|ões) de irs',
    talk: 'apresentaç(?:ão|ões)|palestras?',
  },
  salutation:
    'car[oa]s?|exm[oa]s?\\.?|querid[oa]s?|olá|boa (?:tarde|noite)|bom dia|prezad[oa]s?|estimad[oa]s?',
  closing:
    'com os melhores cumprimentos|(?:melhores|com os) cumprimentos|atenciosamente|abraços?|beijinhos|cumprimentos',
  dated:
    'data(?: de (?:emissão|fatura))?|datad[oa] de|emitid[oa] em|assinado em|na versão de|aprovad[oa] em|data da liquidação|no dia',
  otherDay:
    'nascid[oa]|até|antes|vence|vencimento|desde|válid[oa]|a partir de|com início em|termo em',
  parties:
    'de|para|presentes|participantes|senhoria|senhorio|inquilin[oa]|arrendatári[oa]|proprietári[oa]|cliente|comprador[a]?|vendedor[a]?|empregador|trabalhador[a]?|segurad[oa]|tomador|utente|doente|titular|sujeito passivo|destinatári[oa]|nome',
  between: 'entre',
  honorifics: 'sr|sra|d|dr|dra|eng|senhor|senhora|dona',
  subject: 'assunto|ref|referência',
  version: 'vers(?:ão|ões)|ediç(?:ão|ões)|revis(?:ão|ões)|rascunho',
  replaces:
    'substitui|altera|revoga|anula|renova|aditamento (?:n\\.?º ?\\d+ )?ao|em substituição de|alteração (?:ao|do|da)',
  changes:
    'com efeitos? a partir de|a partir de|a contar de|passa a ser|passam a ser|passa (?:de|para)|já não|deixa de|nov[oa] (?:data|preço|renda|tarifa|número|morada|valor|taxa)|aumenta|sobe|desce|em vez de|até agora|agora|fo(?:i|ram) (?:alterad|adiad|aumentad)[oa]s?',
  say: {
    more: 'e mais {}',
    oneFile: '1 ficheiro',
    newest: '{} ficheiros, os mais recentes primeiro',
    none: 'Não há ficheiros assim.',
    noneThen: 'Não foram enviados ficheiros assim nesse período.',
  },
};
