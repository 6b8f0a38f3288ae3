// Original file: proto/presage/anticipation/v1/anticipation.proto


export interface Evidence {
  'document_id'?: (string);
  'turns'?: (number)[];
  'quote'?: (string);
}

export interface Evidence__Output {
  'document_id': (string);
  'turns': (number)[];
  'quote': (string);
}
