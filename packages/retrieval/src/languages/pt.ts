import type { LanguagePack } from './language.ts';

export const portuguese: LanguagePack = {
  code: 'pt',
  secrets: '(?<!\\p{L})senhas?(?!\\p{L})',
  stemmer: 'portuguese',
  stopWords: 'por',
  numbers: '- - dois três quatro cinco seis sete oito nove - - doze',
  one: 'um uma',
  time: {
    last: 'últim[oa]s?|passad[oa]s?',
    weekend: '(?:último )?fim de semana(?: passado)?',
    of: 'de |do ',
    before: 'antes de',
    since: 'desde(?: o)?',
  },
  small: {
    firstPerson: 'eu me meu minha meus minhas nós nosso nossa nossos nossas',
  },
  phrases: {
    joins: 'de do da dos das',
    nameJoins: 'dos da',
  },
  documents: {
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
    dated:
      'data(?: de (?:emissão|fatura))?|datad[oa] de|emitid[oa] em|assinado em|na versão de|aprovad[oa] em|data da liquidação|no dia',
    otherDay:
      'nascid[oa]|até|antes|vence|vencimento|desde|válid[oa]|a partir de|com início em|termo em',
    subject: 'assunto|ref|referência',
    version: 'vers(?:ão|ões)|ediç(?:ão|ões)|revis(?:ão|ões)|rascunho',
    replaces:
      'substitui|altera|revoga|anula|renova|aditamento (?:n\\.?º ?\\d+ )?ao|em substituição de|alteração (?:ao|do|da)',
    changes:
      'com efeitos? a partir de|a partir de|a contar de|passa a ser|passam a ser|passa (?:de|para)|já não|deixa de|nov[oa] (?:data|preço|renda|tarifa|número|morada|valor|taxa)|aumenta|sobe|desce|em vez de|até agora|agora|fo(?:i|ram) (?:alterad|adiad|aumentad)[oa]s?',
    mailFrom: 'de',
    mailTo: 'para|data',
    beforeDay: 'o|de',
    balance: 'saldo',
    sums: 'soma|subtotal',
    balances: 'saldo (?:anterior|inicial|final)',
    money: 'valor|débito|crédito',
  },
  recommended: {
    how: 'como',
    heading: 'O que devo saber sobre «{}»?',
    amount: 'Que valor consta como {} em «{title}»?',
    field: 'O que consta como {} em «{title}»?',
    ofRow: '{} de {row}',
    title: 'O que está em «{title}»?',
    name: 'O que se sabe sobre {}?',
    phrase: 'Onde se menciona «{}»?',
  },
  claims: { not: 'não|nunca|nenhuma?|sem|proibid[oa]' },
};
