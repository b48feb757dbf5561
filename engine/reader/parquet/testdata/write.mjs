import { DuckDBInstance } from '@duckdb/node-api'

const out = process.argv[2]
const db = await (await DuckDBInstance.create()).connect()
const run = (sql) => db.run(sql)

const tables = {
  texts: `select 'd' || i as id, 'text ' || i || repeat(' héllo wörld', i % 5) || chr(10) || '"q"' as "text", ['sport', 'news', 'science'][i % 3 + 1] as label
    from range(30) t(i)`,
  nulls: `select if(i % 4 = 1, null, i * 1000003) as id, if(i % 5 = 2, null, 'text ' || (i % 7)) as "text", if(i % 3 = 0, null, 'c' || (i % 2)) as label,
    if(i % 6 = 0, null, i % 2 = 0) as flag, null::varchar as nothing from range(40) t(i)`,
  lists: `select 'd' || i as id, repeat('x', i % 4) as "text", if(i % 7 = 0, null, [x for x in ['a', 'b', null, 'c'] if hash(x || i) % 2 = 0 or x is null and i % 9 = 8]) as labels,
    if(i % 5 = 0, null, [x * i for x in range(i % 4)]) as numbers, [i % 2 = 0, i % 3 = 0] as flags from range(35) t(i)`,
  numbers: `select (i * 7 - 100)::tinyint as i8, (i * 2184 - 32768)::smallint as i16, (i - 15) * 71582788 as i32, (i - 15) * 307445734561825860 as i64,
    (i * 8)::utinyint as u8, (i * 2184)::usmallint as u16, (i * 143165576)::uinteger as u32, (i::hugeint * 614891469123651720)::ubigint as u64, i % 3 = 0 as flag,
    {'a': 'in ' || i, 'b': if(i % 4 = 0, null, i)} as inner_ from range(30) t(i)`,
}
for (const [name, sql] of Object.entries(tables)) {
  await run(`create table ${name} as ${sql}`)
  await run(`copy ${name} to '${out}/${name}.jsonl' (format json)`)
  for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd'])
    for (const version of ['v1', 'v2'])
      for (const dictionary of ['dictionary', 'plain'])
        await run(`copy ${name} to '${out}/${name}-${codec}-${version}-${dictionary}.parquet'
          (format parquet, codec '${codec}', parquet_version '${version}' ${dictionary === 'plain' ? ', dictionary_size_limit 1' : ''})`)
}
// Several row groups, several pages, and what is refused.
await run(`create table groups as select i as id, 'word' || (i % 50) as "text", i % 3 as label from range(7000) t(i)`)
await run(`copy groups to '${out}/groups-zstd.parquet' (format parquet, codec 'zstd', row_group_size 2048)`)
await run(`copy groups to '${out}/groups-snappy-v2.parquet' (format parquet, codec 'snappy', parquet_version 'v2', row_group_size 2048)`)
for (const codec of ['brotli', 'lz4_raw']) await run(`copy texts to '${out}/texts-${codec}-v1-dictionary.parquet' (format parquet, codec '${codec}')`)
await run(`copy (select 'x' as "text", 1.5::double as d, current_date as day, 1.5::decimal(9,2) as price, [[1]] as deep, [{'a': 'b'}] as items, map {'k': 'v'} as m)
  to '${out}/refused-types.parquet' (format parquet)`)

// A file as Hugging Face's datasets write it, for the tests of the command: the classes are numbers, and their names in the footer.
const names = `{"info":{"features":{"text":{"dtype":"string","_type":"Value"},"label":{"names":["neg","neutral","pos"],"_type":"ClassLabel"}}}}`
await run(`create table reviews as select ['awful boring', 'plain film', 'lovely acting'][i % 3 + 1] || ' word' || (i % 40) as "text", (i % 3)::bigint as label from range(5000) t(i)`)
await run(`copy reviews to '${out}/reviews.parquet' (format parquet, codec 'zstd', row_group_size 2048, kv_metadata {huggingface: '${names}'})`)
