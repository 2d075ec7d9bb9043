BEGIN TRANSACTION;
CREATE TABLE account_tokens (
	digest BLOB NOT NULL, 
	folded VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	expires_at DOUBLE NOT NULL, label VARCHAR, scopes VARCHAR DEFAULT 'all' NOT NULL, used_at DOUBLE, 
	CONSTRAINT pk_account_tokens PRIMARY KEY (digest), 
	CONSTRAINT fk_account_tokens_folded FOREIGN KEY(folded) REFERENCES accounts (folded)
);
CREATE TABLE accounts (
	folded VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	password_hash VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	disabled_at DOUBLE, bot_since DOUBLE, 
	CONSTRAINT pk_accounts PRIMARY KEY (folded)
);
CREATE TABLE acts (
	id INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	"by" VARCHAR NOT NULL, 
	act VARCHAR NOT NULL, 
	object VARCHAR NOT NULL, 
	detail TEXT NOT NULL, 
	CONSTRAINT pk_acts PRIMARY KEY (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0025_0010');
CREATE TABLE analyses (
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	engine VARCHAR NOT NULL, 
	asked_at DOUBLE NOT NULL, 
	worker VARCHAR NOT NULL, 
	until DOUBLE NOT NULL, 
	tries INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	result TEXT, 
	refused TEXT, 
	CONSTRAINT pk_analyses PRIMARY KEY (table_id, number, engine)
);
CREATE TABLE bans (
	kind VARCHAR(7) NOT NULL, 
	target VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	ends_at DOUBLE, 
	CONSTRAINT pk_bans PRIMARY KEY (kind, target), 
	CONSTRAINT ck_bans_kind CHECK (kind IN ('network', 'name'))
);
CREATE TABLE blocks (
	folded VARCHAR NOT NULL, 
	other VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	CONSTRAINT pk_blocks PRIMARY KEY (folded, other)
);
CREATE TABLE events (
	table_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	kind VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	digest BLOB NOT NULL, served INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (table_id, seq)
);
INSERT INTO "events" VALUES(1,1,1770000000.25,'TableOpened','{"settings":{"game":"arimaa","variant":"official","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'F76BCE1EDB79309A88F558BC2A7E7B2A8218FB77BD4B32075B40F5DFFCA42471',0);
INSERT INTO "events" VALUES(1,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'B77437D46F86DB1E5BA49AEE8DC6BE4C745B2C73AC191EDF101C743B809DC01E',0);
INSERT INTO "events" VALUES(1,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'2050C50DC9DFA559E6E2578D25E54251D6E57C4E322FCA5898D379DC1CB35D37',0);
INSERT INTO "events" VALUES(1,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'78A606B4B4552CAD73E66AE11AF9712734BF41BBE2E3706F3A7BC264A6538BD9',0);
INSERT INTO "events" VALUES(1,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'44ADC7E43C35E8169F60DC2D999D2A7A5C065DFC104E111B12BC01EF88F91A87',0);
INSERT INTO "events" VALUES(1,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"arimaa","variant":"official","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'9EDE4CA75BCC75341EE6C80143B8C55E1F1D213CE22161D5AC663C8DD9E5E67F',0);
INSERT INTO "events" VALUES(1,7,1770000000.25,'GameStarted','{"settings":{"game":"arimaa","variant":"official","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[],"position":"......../......../......../......../......../......../......../........ 0 setup","commitment":""}',X'34D968258601ABA592223E5D41588DAB799699200A9B0A7B703BFCA9901DAC3E',0);
INSERT INTO "events" VALUES(1,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C818F17305CC3C609662729CDA78AA9CC481B593AE6CDB8A88C00B8E892CF702',0);
INSERT INTO "events" VALUES(1,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":49,"piece":"camel"},"ply":1,"changes":[[49,"gold camel"]]}',X'F1CD1E02018BB4FE1390A39DCA0B0B8DCFB47EEB2589109911733E700F684A09',0);
INSERT INTO "events" VALUES(1,10,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'1CA943AA1E4D138DBCDE3B9592B2152A02719E7BAFC90A11C397518708A60A3E',0);
INSERT INTO "events" VALUES(1,11,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":61,"piece":"rabbit"},"ply":2,"changes":[[61,"gold rabbit"]]}',X'2075446D56C4E088A52BB5F261A0C52EAE2BE11AAA62169577F2175CC0CFC4E1',0);
INSERT INTO "events" VALUES(1,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'BF3BFBAE30663B39866DB32262CB6DAD8A04368CCB7CBEB027E7F0D3128C015A',0);
INSERT INTO "events" VALUES(1,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":57,"piece":"elephant"},"ply":3,"changes":[[57,"gold elephant"]]}',X'63FBC10FB44E02D7DADF5EC704F9BCEADD87EAA8CDF5CE4D416978C8866A8041',0);
INSERT INTO "events" VALUES(1,14,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'6AB34D32AA0D5641264A458492D001A6BE951FD7A5725ED452703972BE732034',0);
INSERT INTO "events" VALUES(1,15,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":52,"piece":"dog"},"ply":4,"changes":[[52,"gold dog"]]}',X'071E509A63F9F7A6BDA5BEFF34D75983CADAE77732B06C1767617912B0B1F91D',0);
INSERT INTO "events" VALUES(1,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B37E5E580C43B1F7EA72D2AF3178FCB1C22E710DF8328E4F1214A4805115688D',0);
INSERT INTO "events" VALUES(1,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":58,"piece":"horse"},"ply":5,"changes":[[58,"gold horse"]]}',X'6DBEF8CBCF897F7EC979B6B68D1BD9C492849D8C332F27660CCCA6F982297315',0);
INSERT INTO "events" VALUES(1,18,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D84583ABE4A9BA3D689FCE5FD606E3C0AA86C3B1226E4626030FA9DB0C481731',0);
INSERT INTO "events" VALUES(1,19,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":62,"piece":"cat"},"ply":6,"changes":[[62,"gold cat"]]}',X'B84FEC269E84927A873B8F72DAC617B552302EDADBE6CEF16CCE87FCE9140C24',0);
INSERT INTO "events" VALUES(1,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8596504D759300EC74DB6FF180EB4441AC6CCDBC08714BA1073382327E332A67',0);
INSERT INTO "events" VALUES(1,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":60,"piece":"cat"},"ply":7,"changes":[[60,"gold cat"]]}',X'871A5828D6CBAD39541C7FEBD711E63E3DFFDEEFF4B9CD8BBFEA0712DBFBDD2F',0);
INSERT INTO "events" VALUES(1,22,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'81B0F6CD166645924E96BA85E88662D993A19C45DABE0CEB59EBF0A3F9AD430E',0);
INSERT INTO "events" VALUES(1,23,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":56,"piece":"dog"},"ply":8,"changes":[[56,"gold dog"]]}',X'B23F6F8C7D9642B7C628EF872B9C9B058D5DD9AC2356CE12DD31CF4D92061C29',0);
INSERT INTO "events" VALUES(1,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5A0CFD18DB925C146E6D3FD550174A9A6AC856F5BC91A21B649312199D22D2F1',0);
INSERT INTO "events" VALUES(1,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":54,"piece":"rabbit"},"ply":9,"changes":[[54,"gold rabbit"]]}',X'809A6A4038D61B2FBF69DAA152A5DC7340B4F0017CC6DD0483361522C7938C5C',0);
INSERT INTO "events" VALUES(1,26,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8EB6BE6D4A4BEFF488B71C7B7BBEC533FE8A564616B2EFB59C529F79AA2E6DA7',0);
INSERT INTO "events" VALUES(1,27,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":59,"piece":"rabbit"},"ply":10,"changes":[[59,"gold rabbit"]]}',X'219829E2EA8E81E58F752EB3A6396A2B073BC88B5E014BAB7F05371BDEA0BC54',0);
INSERT INTO "events" VALUES(1,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'4052999B7E6047FB366BD2E0F3CC8E82EB44E03CB0FD04C860B20773FCAE2925',0);
INSERT INTO "events" VALUES(1,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":53,"piece":"horse"},"ply":11,"changes":[[53,"gold horse"]]}',X'0863C230D241889087103D40DFEA854322C2FA3E11341ED09840BF78790546DA',0);
INSERT INTO "events" VALUES(1,30,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'836D70767AA7F28203B9C7FAAD7C3CB8AEB8B5EB3A6F5E2F9EB7E6F00CF91BD1',0);
INSERT INTO "events" VALUES(1,31,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":48,"piece":"rabbit"},"ply":12,"changes":[[48,"gold rabbit"]]}',X'A5F71FEC1549B90D7A8E4C1DB74E78E40F5D76156EF7781A71F0A38619A5ECCD',0);
INSERT INTO "events" VALUES(1,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'37271713E1E41D64B0EE4484E4B4732C0196393DB1298B2802CD322C2EE42F9D',0);
INSERT INTO "events" VALUES(1,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":63,"piece":"rabbit"},"ply":13,"changes":[[63,"gold rabbit"]]}',X'BBC94DF9A4DF30303BC0F5C0411C479FAD7447CA4B66B3C68568372CC26D6AA8',0);
INSERT INTO "events" VALUES(1,34,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'F84BC6B3D2F8600F28F3E7E8181F314F2E0D98E099A66B18D88CB890782673BA',0);
INSERT INTO "events" VALUES(1,35,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":50,"piece":"rabbit"},"ply":14,"changes":[[50,"gold rabbit"]]}',X'BFCCA975A90E2599215736DC76589D5798C795AD4FAFDA2210CE7F8E090871F5',0);
INSERT INTO "events" VALUES(1,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D7BABAEE59CD29B99B33919F2DD60995C562D989E520ECBC63586D09BB67F42C',0);
INSERT INTO "events" VALUES(1,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":55,"piece":"rabbit"},"ply":15,"changes":[[55,"gold rabbit"]]}',X'158DC9AF359523D81ABD9A4D5C8BAF1430EAE3A1A7559E93DA4FBF8D41AF6467',0);
INSERT INTO "events" VALUES(1,38,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'CF3171C60028417EDF93AC3509A8FB32A8D2A56FA6DEA92CCD432A2BAB856E73',0);
INSERT INTO "events" VALUES(1,39,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":51,"piece":"rabbit"},"ply":16,"changes":[[51,"gold rabbit"]]}',X'B0B5605FA1BFBE86A9784E40F65CF6FB0E80BE78C476C7D28F5F8AA7561E9D1B',0);
INSERT INTO "events" VALUES(1,40,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'1B5BB360FCF6503EEFFF8759806FBFABDA73AE4D9D44158BD6E88B3872829B8A',0);
INSERT INTO "events" VALUES(1,41,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":13,"piece":"cat"},"ply":17,"changes":[[13,"silver cat"]]}',X'FAB2BAD420FDDD4722072BAFBE20D88D61B84A28E74A167E7AA72D5FDA92AA56',0);
INSERT INTO "events" VALUES(1,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'9C0F9FC5F3DAB30F2AA6E20B5ABB1CA398BECE1E6181A6D9EAFBE7FA156BFAE1',0);
INSERT INTO "events" VALUES(1,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":0,"piece":"elephant"},"ply":18,"changes":[[0,"silver elephant"]]}',X'E878DB1037B1A4AAD10CC737EEE91E5431912AB1C2232EC5F605BCAB09081FCE',0);
INSERT INTO "events" VALUES(1,44,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E01FFE81D7A3FBF000F4F3412365CA1A6D58EFF0939D78807E4BF6BC8F8A2C07',0);
INSERT INTO "events" VALUES(1,45,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":2,"piece":"rabbit"},"ply":19,"changes":[[2,"silver rabbit"]]}',X'6634AC94A1EACBABFCB5423C5E75D53C0852A56C761D18C595F0B52C863821E6',0);
INSERT INTO "events" VALUES(1,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7B4991368B2FF966A6ECD7BB107301BA3125CCF770CA6D5A490C33E8AE43D15F',0);
INSERT INTO "events" VALUES(1,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":10,"piece":"dog"},"ply":20,"changes":[[10,"silver dog"]]}',X'B9D24313E48BC217FF4F97F498C24EF42A35A2C2A6662E28E05FB1E337F7D763',0);
INSERT INTO "events" VALUES(1,48,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'3BF192A332CE3A3663FA693D5A855114F7E04D15CED301C65758BDBA480FFBA7',0);
INSERT INTO "events" VALUES(1,49,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":14,"piece":"cat"},"ply":21,"changes":[[14,"silver cat"]]}',X'E5CCC4B6D258AE7603A900F2749C3A146F67617E92CC4A8C658489C498E606B9',0);
INSERT INTO "events" VALUES(1,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'8291DA36F58C8668FEC30FE1AE2F1F1BBADB4D170B5AEF72B703F0E4DC8E4843',0);
INSERT INTO "events" VALUES(1,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":5,"piece":"horse"},"ply":22,"changes":[[5,"silver horse"]]}',X'EAF508964EAC048CF6CB16348A1B92BA23A21B5788D930A8EB95C81ACB9C1BDA',0);
INSERT INTO "events" VALUES(1,52,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E8C855AEE244E03D592C252B1154D9CFEC73918C92ABCF0939B78DDEE83687B3',0);
INSERT INTO "events" VALUES(1,53,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":11,"piece":"rabbit"},"ply":23,"changes":[[11,"silver rabbit"]]}',X'02B2533F7368EF79B011FEBC9EA80E400AC916A97B4026E1C52F420BDF137215',0);
INSERT INTO "events" VALUES(1,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'EC6AA370A90AC0176A5DAC5923898149336D657E3CE8F415E44292E9863F20FC',0);
INSERT INTO "events" VALUES(1,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":9,"piece":"camel"},"ply":24,"changes":[[9,"silver camel"]]}',X'C556AB2A4A4B5BE656F622FC24A29061E867A354C2062C45274EDA107202D913',0);
INSERT INTO "events" VALUES(1,56,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'CDCE2D268C995A16805D6C354A39AEBA44278E129EF3E6471BC8730366172E72',0);
INSERT INTO "events" VALUES(1,57,1770000000.25,'GameEnded','{"outcome":{"winner":0,"reason":"resignation","detail":""},"secret":""}',X'33896616A65EE6358046F57344D4C6561EAE0FC869D34B6D8941C65A311F187F',0);
INSERT INTO "events" VALUES(2,1,1770000000.25,'TableOpened','{"settings":{"game":"checkers","variant":"english","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'BF7EBEB6ACA6AE7359D4B6A01CFA6F6D3CF0DA764B9EF76847D6BC21BDBA1D89',0);
INSERT INTO "events" VALUES(2,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'D3B1B18731625CD6B0596B7B804E858E6422AC62992FE19DE733BFA71423D426',0);
INSERT INTO "events" VALUES(2,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'CC81FE5B1B96A43FC2C0BA22D3FCD7CB34F3ABA86504CF6D7BD471968532CFBE',0);
INSERT INTO "events" VALUES(2,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'507BC51647BDE421BB050507A8A9C06C19E9EF2F29898EB2C31F59F496AD85A9',0);
INSERT INTO "events" VALUES(2,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'A51DD991061053C184072AE6F359AC555115BFD635A41B5E5A4D75FCE49B3ABD',0);
INSERT INTO "events" VALUES(2,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"checkers","variant":"english","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'3FB8A6DC4765C5BF0ED209C539880B7C5BA1425F9B376AE512A2012682CDAC86',0);
INSERT INTO "events" VALUES(2,7,1770000000.25,'GameStarted','{"settings":{"game":"checkers","variant":"english","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[[1,"black man"],[3,"black man"],[5,"black man"],[7,"black man"],[8,"black man"],[10,"black man"],[12,"black man"],[14,"black man"],[17,"black man"],[19,"black man"],[21,"black man"],[23,"black man"],[40,"white man"],[42,"white man"],[44,"white man"],[46,"white man"],[49,"white man"],[51,"white man"],[53,"white man"],[55,"white man"],[56,"white man"],[58,"white man"],[60,"white man"],[62,"white man"]],"position":".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w. 0","commitment":""}',X'4385607577DF61A05E5DECE2ACCFA84F5D69CDA11DB2953D47B4608311A3E7F7',0);
INSERT INTO "events" VALUES(2,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C19D55B431B81F5261F990F8842DEB009DA2866B4D0154280991F16417486796',0);
INSERT INTO "events" VALUES(2,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":21,"target":30,"piece":""},"ply":1,"changes":[[21,null],[30,"black man"]]}',X'C5A0D4A2ABA60754FAC83481C93514D360FF2699D640585AE9A1CFE22B53F265',0);
INSERT INTO "events" VALUES(2,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'3E9DF4F0DC86669D6112389590D5AA0631498737D9C7E9B8DFCBCDACB3ACB403',0);
INSERT INTO "events" VALUES(2,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":46,"target":37,"piece":""},"ply":2,"changes":[[37,"white man"],[46,null]]}',X'9C1874EB2D706618DE7DDB0A622C911BA56C58453732F713FCE9D25A6BCF08D9',0);
INSERT INTO "events" VALUES(2,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C88A4FE23003F16588E3EACB73E94B331D617E9647664EC5DA19B508CD9F700A',0);
INSERT INTO "events" VALUES(2,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":14,"target":21,"piece":""},"ply":3,"changes":[[14,null],[21,"black man"]]}',X'77498F556ECD6428CEB4C72603F54CB309ED4789E09292D114A4D1F45D387F4B',0);
INSERT INTO "events" VALUES(2,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E93C27308E48ED2DE7BA4AC2A3F233B1D03DB7FD99A7340F3099D3DE539FB4CA',0);
INSERT INTO "events" VALUES(2,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":40,"target":33,"piece":""},"ply":4,"changes":[[33,"white man"],[40,null]]}',X'AB068B175CC99C406D9D6933B6BC10FB03388C5FD018C6A7F008E0C7BF5DDD43',0);
INSERT INTO "events" VALUES(2,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'E9C3B1902E96B8ABB587920CA952F44B4F614E53A15B70622A0788E015600FD1',0);
INSERT INTO "events" VALUES(2,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":17,"target":24,"piece":""},"ply":5,"changes":[[17,null],[24,"black man"]]}',X'69F5C8C352891E6DA66667BD442A34A6377BB0EA97165EC85912655EF2CFF7B3',0);
INSERT INTO "events" VALUES(2,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0B3C22696761520E4F5D4D0C5968405EFA0EDA736A04793D004B257AE30D38A5',0);
INSERT INTO "events" VALUES(2,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":53,"target":46,"piece":""},"ply":6,"changes":[[46,"white man"],[53,null]]}',X'D8414820C8B72057B7295224941F8D1D64BADAB93FA0939125B8BE45544A0125',0);
INSERT INTO "events" VALUES(2,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'9407CE3CFB9D22B13C02408947DDF69B655E6F1AB1C4D4F4F8255D5D0C618428',0);
INSERT INTO "events" VALUES(2,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":19,"target":26,"piece":""},"ply":7,"changes":[[19,null],[26,"black man"]]}',X'9B900DD4E6AAE39933C6DD4C033A7D55F39242BBBFA69AFE3AC9253254FF10BD',0);
INSERT INTO "events" VALUES(2,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'9773A6B5FA9B654EF63B0032D6F922DA18E6AC6D64522ED1B2A75B7D210DE997',0);
INSERT INTO "events" VALUES(2,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":33,"target":19,"piece":""},"ply":8,"changes":[[19,"white man"],[26,null],[33,null]]}',X'379AF5BBF22516DD7A645097D9B9D1A10FC4180342F23DEDB541E5F19C5A4E2B',0);
INSERT INTO "events" VALUES(2,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'DE8E15C76DBFC1EEA5F0E06630FDABE661E48CED7636D5B44429B95C701E2B48',0);
INSERT INTO "events" VALUES(2,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":10,"target":28,"piece":""},"ply":9,"changes":[[10,null],[19,null],[28,"black man"]]}',X'C9D9871DD55D4CC3960B2575C0047EF8879BB18709C25141CD5B432662D03FD1',0);
INSERT INTO "events" VALUES(2,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'60CA84A7BF1F78EAEF26D34B762D6C18DE4D1D82B425B3D94DB847B78114F255',0);
INSERT INTO "events" VALUES(2,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":37,"target":19,"piece":""},"ply":10,"changes":[[19,"white man"],[28,null],[37,null]]}',X'A434616383AF2DFF79A8E383935FC5CECA3D0D22998F8918BB8BB272CC169445',0);
INSERT INTO "events" VALUES(2,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'92D8CE9F887A4AB4DB512C7369CB1ED386C05049AD3485C4FFE4543277D8495D',0);
INSERT INTO "events" VALUES(2,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":12,"target":26,"piece":""},"ply":11,"changes":[[12,null],[19,null],[26,"black man"]]}',X'560798308DF45C83CDC6466A772CE3CE1AD0CFE3D73E5FD52E3C051970F36DC1',0);
INSERT INTO "events" VALUES(2,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0EA4EAA5BDFE45CECEC51AF0C211BCB5A76CC0039FAC7C054E2E8F2A73BAF5C9',0);
INSERT INTO "events" VALUES(2,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":46,"target":39,"piece":""},"ply":12,"changes":[[39,"white man"],[46,null]]}',X'295FEE0E6EDED9A1A8F44DAEE00793AC314153CADC345146C1E294A487F5DC6E',0);
INSERT INTO "events" VALUES(2,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'AD42447557078FBA59EBB755DEE88AC9905D13DE1E1B9EBCD1B488FFDD6799FE',0);
INSERT INTO "events" VALUES(2,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":1,"target":10,"piece":""},"ply":13,"changes":[[1,null],[10,"black man"]]}',X'F8ADFE99BD6524CFCC56644CB1CB5E4CC2C23794F0C5E19D9AAAEA09D140876D',0);
INSERT INTO "events" VALUES(2,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'5E8FDB793BA16D5554E15429CDDE5BA9FCCCD813859EFE16618A606433BE5546',0);
INSERT INTO "events" VALUES(2,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":55,"target":46,"piece":""},"ply":14,"changes":[[46,"white man"],[55,null]]}',X'99BF0986650C55660DBFB63B2A257FD1BFB3BB14419F3AF0F8ECC435F0805125',0);
INSERT INTO "events" VALUES(2,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5F8E0BCFF0F99144E04BAE3E5E4460401B8FE7895AFF29E9A53B3C57A27575FE',0);
INSERT INTO "events" VALUES(2,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":26,"target":35,"piece":""},"ply":15,"changes":[[26,null],[35,"black man"]]}',X'DEC049E89CCED5CE9B2B5B2F815939D74BCFF15862A44A7B6ED815A7BA8FC2AF',0);
INSERT INTO "events" VALUES(2,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6F1ED53FC7B803FD327033778D14D40AF9D78985EDD9029F51C2EF8FE7C275AA',0);
INSERT INTO "events" VALUES(2,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":44,"target":26,"piece":""},"ply":16,"changes":[[26,"white man"],[35,null],[44,null]]}',X'27BC5FB62ABB2F95C08CD60C3A0DDB21B4507CA1D2C071476BBBAF7AFE8C4C70',0);
INSERT INTO "events" VALUES(2,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'330AA045B21F9A9681EB1CC8707D946FFDC10F7F1046CF88592B03A286D379D6',0);
INSERT INTO "events" VALUES(2,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":10,"target":19,"piece":""},"ply":17,"changes":[[10,null],[19,"black man"]]}',X'FE522F7AD9C41B1B92F7A8A069CE80D96B47666D1564C46729C4D1F5B4F8D855',0);
INSERT INTO "events" VALUES(2,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'28E9C968332BD93ADF4C57551DF0D9DC383597AD69313BE3224AE7DCCAAE9FE6',0);
INSERT INTO "events" VALUES(2,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":26,"target":12,"piece":""},"ply":18,"changes":[[12,"white man"],[19,null],[26,null]]}',X'C68A158A089EF56C2D770F21C8E18630A6C5EE9E2B85E964ACB56486726C9BBA',0);
INSERT INTO "events" VALUES(2,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'65486B06F14E728FDB2CFCD9C36713B0065EAFB176B8B7C4A125565B24E38871',0);
INSERT INTO "events" VALUES(2,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":5,"target":19,"piece":""},"ply":19,"changes":[[5,null],[12,null],[19,"black man"]]}',X'42E841DCEEC7EE3F3304BCE55B584C56E35E2383D7FE49BC604FCF86366500A6',0);
INSERT INTO "events" VALUES(2,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'85F849DAB75CE7CB1E90D46161A425CB2AFCC8F5A64C17EE955C872B5030AF2E',0);
INSERT INTO "events" VALUES(2,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":42,"target":35,"piece":""},"ply":20,"changes":[[35,"white man"],[42,null]]}',X'DBDA870BE4DD2DDC1B8B0616C639AEA00F5A2EE08C0F4A2C48807B8CBA1253E0',0);
INSERT INTO "events" VALUES(2,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8D197729CDE9FCC5A5CB8994745AB98D0D445050B39F7C08E25975F1F5BDB40C',0);
INSERT INTO "events" VALUES(2,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":3,"target":10,"piece":""},"ply":21,"changes":[[3,null],[10,"black man"]]}',X'3B388B4EC3B219B499DBB36BC45898526F50C64028060EE07054710724A7ABF2',0);
INSERT INTO "events" VALUES(2,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'F0ED1C69E8F2CFEE4E31706A6AEEC42BA8AE80A70DF1C6C68EC71FEA725D994A',0);
INSERT INTO "events" VALUES(2,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":35,"target":26,"piece":""},"ply":22,"changes":[[26,"white man"],[35,null]]}',X'CC1B2EFA5B4FAFBCBB3380EAD714B4C4406997F5F576BFB7CD618E09564AD68B',0);
INSERT INTO "events" VALUES(2,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C0AC6A8621ED7A89A8C51088CED812814E4FDEB8EE092B78CE8027EB084551CD',0);
INSERT INTO "events" VALUES(2,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":19,"target":33,"piece":""},"ply":23,"changes":[[19,null],[26,null],[33,"black man"]]}',X'8B397E624B8251750F078C06B8B89B5AB6A2AF5AD1CA704028E0D6C94F3A2014',0);
INSERT INTO "events" VALUES(2,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'A283A326EC37F42A479EF3359BA4AC4F191BAF20D0CED64A8DA2C3225D6B9F03',0);
INSERT INTO "events" VALUES(2,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":49,"target":40,"piece":""},"ply":24,"changes":[[40,"white man"],[49,null]]}',X'9C56B14007D1F7551644D8B2174D061C90D6208A87302A4A06F6AFF5730618BB',0);
INSERT INTO "events" VALUES(2,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'94B6A7741DFDD2D69B2874FA6833F85B06772F9D9AC6DDE8D49148679476B08B',0);
INSERT INTO "events" VALUES(2,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'961998D01ACA54D552B78249FD75B923B460AA8CD3CDB1D6B3A70F2562215D00',0);
INSERT INTO "events" VALUES(3,1,1770000000.25,'TableOpened','{"settings":{"game":"chess","variant":"normal","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'020C0F92B6084686E1253AA3D00C5BE03B89DD94085D4EE953900EFAFA739242',0);
INSERT INTO "events" VALUES(3,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'3D5357AC70F626B818693ACE62F683CD1164AA0F8E400536E41607266EEECF57',0);
INSERT INTO "events" VALUES(3,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'008ACC389B7FC64A709D0638DBD280A6544A03620A60C4CA8E96F35FAA233B60',0);
INSERT INTO "events" VALUES(3,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'DC533D6495F72D3FDE60B05BE251F25576AA67AF2DF035686552AC631E590926',0);
INSERT INTO "events" VALUES(3,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'EC69E4D52A227AB136B5E24903476F6DDAC6F15C5AA69E9E1C984E6E60DBE1BB',0);
INSERT INTO "events" VALUES(3,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"chess","variant":"normal","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'8E1810A5EA59CDF3997F765A0520354B6370D7CA7631595D101B075D8EC430EE',0);
INSERT INTO "events" VALUES(3,7,1770000000.25,'GameStarted','{"settings":{"game":"chess","variant":"normal","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[[0,"black rook"],[1,"black knight"],[2,"black bishop"],[3,"black queen"],[4,"black king"],[5,"black bishop"],[6,"black knight"],[7,"black rook"],[8,"black pawn"],[9,"black pawn"],[10,"black pawn"],[11,"black pawn"],[12,"black pawn"],[13,"black pawn"],[14,"black pawn"],[15,"black pawn"],[48,"white pawn"],[49,"white pawn"],[50,"white pawn"],[51,"white pawn"],[52,"white pawn"],[53,"white pawn"],[54,"white pawn"],[55,"white pawn"],[56,"white rook"],[57,"white knight"],[58,"white bishop"],[59,"white queen"],[60,"white king"],[61,"white bishop"],[62,"white knight"],[63,"white rook"]],"position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","commitment":""}',X'336C077DBA3AED6A11F202A34518A7E4A1FC43DE916889CEBA81620F3D4DEA42',0);
INSERT INTO "events" VALUES(3,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'22CF4E8B7C4F111E7190AD62B0114DF6C90E183A7EAAC70AD1BBBAF4310FEBB7',0);
INSERT INTO "events" VALUES(3,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":52,"target":44,"piece":""},"ply":1,"changes":[[44,"white pawn"],[52,null]]}',X'3DE55FB5A1C44A568629FEE7EB1DF0698910309BBAD78C91AD8187C13FFF9515',0);
INSERT INTO "events" VALUES(3,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'90A478F6D07EF0D00A575E89E0A1B34C153ED3E3D027F282A9A801D738F33E7A',0);
INSERT INTO "events" VALUES(3,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":9,"target":25,"piece":""},"ply":2,"changes":[[9,null],[25,"black pawn"]]}',X'D29576D2A5CF299D0E564680735C09E4CAD6135270F71750EDD1642F98FF62B2',0);
INSERT INTO "events" VALUES(3,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'661B0199ED90662695FE286D066967BC8B7FE7D1F0CF0B6F76C9D2BBBE84D678',0);
INSERT INTO "events" VALUES(3,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":53,"target":45,"piece":""},"ply":3,"changes":[[45,"white pawn"],[53,null]]}',X'F2BF0557D647F1A0BD28054105B4A585B8D4B08D8316D324969D3D3D7B3FFBF6',0);
INSERT INTO "events" VALUES(3,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'70E0749CAA260E8347E8840BC2EC6D06A8AF33F7D5327BBF99B69589B9E999F9',0);
INSERT INTO "events" VALUES(3,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":1,"target":18,"piece":""},"ply":4,"changes":[[1,null],[18,"black knight"]]}',X'5C506BD45D2405DF9C82EED28216F6C8618C6F55A837DB4EEC9016799D168308',0);
INSERT INTO "events" VALUES(3,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'68B8668270F39B2D19179C4F9D8322C40F0561DD7344F248B9F24B630A43ACE3',0);
INSERT INTO "events" VALUES(3,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":45,"target":37,"piece":""},"ply":5,"changes":[[37,"white pawn"],[45,null]]}',X'9F22263E2E6E816012A3D55846AF60B1768EF3F357EDF99A8F0519061659A793',0);
INSERT INTO "events" VALUES(3,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4F7F59DAD4B082AA0DA5F1D7DEDC9ED23F7DB025B9EA72E14875BCE820CA0D23',0);
INSERT INTO "events" VALUES(3,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":13,"target":29,"piece":""},"ply":6,"changes":[[13,null],[29,"black pawn"]]}',X'47DB2964999B7486A5F55EB5DC7F9B8D395DAF1678410722E8BD61888FD3B220',0);
INSERT INTO "events" VALUES(3,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'37A7EE24313248330CD4CB625CECC2F95B2E3F2A7E7ADB36F0B528CEA14707AB',0);
INSERT INTO "events" VALUES(3,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":44,"target":36,"piece":""},"ply":7,"changes":[[36,"white pawn"],[44,null]]}',X'D6CC2B6F1467D464E13229D242BAEE9DA5E526BC9F1AB3CEAC01A1F0D022CC9C',0);
INSERT INTO "events" VALUES(3,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0A65C0FB074002DCE80A231F50827760FBD8FECC5BED924CBAF53280F332EFF8',0);
INSERT INTO "events" VALUES(3,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":12,"target":28,"piece":""},"ply":8,"changes":[[12,null],[28,"black pawn"]]}',X'951F9E4AB0B98BF5481B516C4D7FA532D0DE6EC0EDCFA2408506B2F4A371D4E9',0);
INSERT INTO "events" VALUES(3,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'3D1BB58F63E470EE0CEA041D1B377605F253EF6D2E1397D8FC82447FA91CB043',0);
INSERT INTO "events" VALUES(3,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":54,"target":46,"piece":""},"ply":9,"changes":[[46,"white pawn"],[54,null]]}',X'620FB046CC228DAF5759D6CCE170E5E93DB9C66E8DF878D36D40638A1CC0B3E9',0);
INSERT INTO "events" VALUES(3,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'387BEB3F82E427A438BAABFBBAA2852D66EBEB26DC573B7003B3CDDC14031D0F',0);
INSERT INTO "events" VALUES(3,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":5,"target":19,"piece":""},"ply":10,"changes":[[5,null],[19,"black bishop"]]}',X'6D108460CDCA5718CB8AC927CFED47B837C43DE9E29589FF6EF0AF0A68AE3277',0);
INSERT INTO "events" VALUES(3,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C8C8B27B329A6F6233042892F803A8B9C357BB7220EC7140E3229767FAB730ED',0);
INSERT INTO "events" VALUES(3,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":46,"target":38,"piece":""},"ply":11,"changes":[[38,"white pawn"],[46,null]]}',X'B2855F6450FCAC34CDD6E84FDA29F6D3FD126068BE3ACFF25163DA58EC1F0D3B',0);
INSERT INTO "events" VALUES(3,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'924E7CDDDDEB2D3ED535EFF2C902AAF5587E31F47C8857BB785C33DCB1027A4B',0);
INSERT INTO "events" VALUES(3,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":6,"target":12,"piece":""},"ply":12,"changes":[[6,null],[12,"black knight"]]}',X'AD2608755BC071D3F2F13A226A561540AAA266CE6EE70B7B5EB0206923147F6F',0);
INSERT INTO "events" VALUES(3,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8A0C77708C3B2E7BCE75083EDEDCCFC2A0BD17C54C55F3A8CDADD214955E4332',0);
INSERT INTO "events" VALUES(3,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":50,"target":34,"piece":""},"ply":13,"changes":[[34,"white pawn"],[50,null]]}',X'39BB5C9D25176E9118E282565F5508519F84038A9C3E762BB3354B490E14832A',0);
INSERT INTO "events" VALUES(3,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4FCA305D58B3CFE2A11A1C710BA3B89F2209DB1E7B2117A830A96CF85B2375F2',0);
INSERT INTO "events" VALUES(3,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":18,"target":35,"piece":""},"ply":14,"changes":[[18,null],[35,"black knight"]]}',X'9D2A2C126938C82409A0F0D4F33135091B71D2EE74029189B259A9DBB8BB8911',0);
INSERT INTO "events" VALUES(3,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'3AFE3B0624AA771E3B614A57835016C820F2F9CEECF69B213B603BD8F97B52DF',0);
INSERT INTO "events" VALUES(3,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":59,"target":32,"piece":""},"ply":15,"changes":[[32,"white queen"],[59,null]]}',X'489C24F9D61AF28EA6DE4B14E993409339FC825C355131D25D921BEE2A21023C',0);
INSERT INTO "events" VALUES(3,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'701AB09C75DD4E8A6FD376A4CC1E09D3571C630823CBFC1206C04E95D8FA0941',0);
INSERT INTO "events" VALUES(3,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":35,"target":20,"piece":""},"ply":16,"changes":[[20,"black knight"],[35,null]]}',X'4C975CD05827DB2F4B874300CA1F635C8AA7C7030968C468B919B2AB3D48FB82',0);
INSERT INTO "events" VALUES(3,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'566686F3DF476D95A69DDF1489CBB419A7C0CC2D9B5EA9D1E824666BCC2B0D5D',0);
INSERT INTO "events" VALUES(3,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":61,"target":47,"piece":""},"ply":17,"changes":[[47,"white bishop"],[61,null]]}',X'304996E77C364D0B45DB31F1A771497594C024DA11E69B783189A72B629A6DA4',0);
INSERT INTO "events" VALUES(3,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'B0EFDA2614216B0482C39CE0851C85968BDA3008D3E29A31D00B10F16FD98AC4',0);
INSERT INTO "events" VALUES(3,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":15,"target":31,"piece":""},"ply":18,"changes":[[15,null],[31,"black pawn"]]}',X'ED620E70D849B0F5D10AFE326990CA5AD7A098769D7A3647707529DE32132F13',0);
INSERT INTO "events" VALUES(3,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'750F317C6701926B4380A1DCC4EE63EEE2AC124481EAE8A689631651043F9187',0);
INSERT INTO "events" VALUES(3,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":57,"target":42,"piece":""},"ply":19,"changes":[[42,"white knight"],[57,null]]}',X'A0F54DF70EEB82CC1939280C5B357F6C1A83E16EC89CB2449DA1EBDA969344D2',0);
INSERT INTO "events" VALUES(3,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'171677F677A394CD0CE149A8937966070B5840ADF04526C7B83916CFA65FE773',0);
INSERT INTO "events" VALUES(3,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":8,"target":24,"piece":""},"ply":20,"changes":[[8,null],[24,"black pawn"]]}',X'DBD922BF796CEB296F3E70DFFF88E871ABEFE238DD3CBCF66FC90DDD76E2E1AF',0);
INSERT INTO "events" VALUES(3,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'86F506EE268AF18B10671C8DBF96203A6834DA4CEF8914908E35E6A8EF5FB9BE',0);
INSERT INTO "events" VALUES(3,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":48,"target":40,"piece":""},"ply":21,"changes":[[40,"white pawn"],[48,null]]}',X'93DDFA9A9ECA9FBC9D08066E09E1EB225EB0D5A3232E1202473A60786F271738',0);
INSERT INTO "events" VALUES(3,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'B3C836FCAC283095340977FB7FE12659A56A5CC1637B12F8A6C537EBB666CF35',0);
INSERT INTO "events" VALUES(3,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":29,"target":38,"piece":""},"ply":22,"changes":[[29,null],[38,"black pawn"]]}',X'D868CEE649AADCAA782CA1452E5570589B689AB4B89938EFCC003F2F228D1CAC',0);
INSERT INTO "events" VALUES(3,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'84C156367B646171F83F09B6C6A3B49F745EAA843CF7EE95104650D384BCA7EF',0);
INSERT INTO "events" VALUES(3,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":60,"target":59,"piece":""},"ply":23,"changes":[[59,"white king"],[60,null]]}',X'373D83C4EDAD8EED63B0893AFC053AB7ABB76C6BA7B2BCF8EE3361A1A0DF6124',0);
INSERT INTO "events" VALUES(3,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'A00A58E8CF119DA90769DC1AD52CB86CFC49FA261D4684A5F31456E5BC9CCCDD',0);
INSERT INTO "events" VALUES(3,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":0,"target":8,"piece":""},"ply":24,"changes":[[0,null],[8,"black rook"]]}',X'880C80CF38CEFB23DDD3A45F19377361F2632AD539A0F40AE386F10734C78F9F',0);
INSERT INTO "events" VALUES(3,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'939E574920400A47676925A4BD4A67586F827A546D364A6A0641A0A8381C18F7',0);
INSERT INTO "events" VALUES(3,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'A657B4AE0E1DA1AC35996C35EF3C1E69FD6CF83A9988FD8CB5C67BA5455EBDBE',0);
INSERT INTO "events" VALUES(4,1,1770000000.25,'TableOpened','{"settings":{"game":"connect_four","variant":"standard","width":7,"height":6,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'3E5EB817C7EA7E720400A8B99760AD684389E258C37C1595A43AEB7B49D571BC',0);
INSERT INTO "events" VALUES(4,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'6CCD59183E2B8B72CB55D1084FAD8E1BF1A0FF1FFD55A5C3EDF539366FE0CF50',0);
INSERT INTO "events" VALUES(4,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'B9F4E53FB7CCD4D755A6F42F73D5E8749EDE326E38E2EFA6163C254AC944362E',0);
INSERT INTO "events" VALUES(4,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'F24B16D7C8D46E7CE87542B5EC3615E64934C882CACFE11477F4E3F4AB2F28CA',0);
INSERT INTO "events" VALUES(4,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'997D26FBF152F9982C3F1F8B808FB91112048BFAA98CD00E9538D33456AF1886',0);
INSERT INTO "events" VALUES(4,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"connect_four","variant":"standard","width":7,"height":6,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'121CCE77DDBC959123C7E2A18BBEBCE383A609A7B6CF99AA8E5467FEEE617294',0);
INSERT INTO "events" VALUES(4,7,1770000000.25,'GameStarted','{"settings":{"game":"connect_four","variant":"standard","width":7,"height":6,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[],"position":"......./......./......./......./......./....... 0","commitment":""}',X'A116E1DAB71D0FE4CD9368C42CFC72B06E426BC119146228054B13D3F5D7C5F5',0);
INSERT INTO "events" VALUES(4,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'03EC81CB078FBF7C2FDD33A68D03FCE592E925D8B22B625F5E25A6C86AF8F0ED',0);
INSERT INTO "events" VALUES(4,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":36,"piece":"red"},"ply":1,"changes":[[36,"red"]]}',X'16A1D128E0E8D21EE4CBC4D96BDA59E7B7AB2717907255ED85FCCC81975A958F',0);
INSERT INTO "events" VALUES(4,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'947F3508ADA2490F735455842F9376DDD910194F4C3007B387BCA11EB6563FEB',0);
INSERT INTO "events" VALUES(4,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":37,"piece":"yellow"},"ply":2,"changes":[[37,"yellow"]]}',X'0F8C710CB2A96D6DE7F59F906F78C1E88F9659C850B0BA1999E2A1212355A23C',0);
INSERT INTO "events" VALUES(4,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'84D157175F21423BEDD3976614702BFC804B0B167AEE7EFDAC268FAC932F2B53',0);
INSERT INTO "events" VALUES(4,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":35,"piece":"red"},"ply":3,"changes":[[35,"red"]]}',X'9EBBA77A40CF9CC4BA7DCBBCB3EFF0D20A7FB71A9EE21FFA95438BE63E7701D4',0);
INSERT INTO "events" VALUES(4,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'48F703B4CD42B71ACB3F4E315DFE1956B208ED8AFF3F1D5195DA6525121C3399',0);
INSERT INTO "events" VALUES(4,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":40,"piece":"yellow"},"ply":4,"changes":[[40,"yellow"]]}',X'05768F20648652FA69A262838415FA72AFED5EFFB36A3F3596D9AEA0A1AB0456',0);
INSERT INTO "events" VALUES(4,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'028A8624DD1798054A8DC8B40CD88248C560B0B9B56C755BAB66AB29EF9678E4',0);
INSERT INTO "events" VALUES(4,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":38,"piece":"red"},"ply":5,"changes":[[38,"red"]]}',X'CD510CBFE26C4BAAFED0AB6333512B348A1210C01C12787A26102D8DCE437D80',0);
INSERT INTO "events" VALUES(4,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'76D19213B8DF8A7FE22506BBFA5223BD4C56848481762BF86D4F30D18C684443',0);
INSERT INTO "events" VALUES(4,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":31,"piece":"yellow"},"ply":6,"changes":[[31,"yellow"]]}',X'667E26785C6955E011D104D31C37DF2F2DB3BC2F72D86933823FCC7F99F0E85D',0);
INSERT INTO "events" VALUES(4,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'9C19A94EB9695BDC830209841524F2B98732FE049B3D4815F9536689FB45022A',0);
INSERT INTO "events" VALUES(4,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":29,"piece":"red"},"ply":7,"changes":[[29,"red"]]}',X'07F2E803559387B188A021996C85B0981FB2F964BDE6603912BAA670A140D705',0);
INSERT INTO "events" VALUES(4,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'8E992D8AECBD385481787B62B986F0642EDBB25A99F010FB2CDFC2EB27922410',0);
INSERT INTO "events" VALUES(4,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":28,"piece":"yellow"},"ply":8,"changes":[[28,"yellow"]]}',X'8F2DCFFF2FD136B3F385B88EC6E4DD0620C3A5BD7A6DDB7B3116A12DC303CF91',0);
INSERT INTO "events" VALUES(4,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8A518F9635426FDFD02B9374053C9137EDB59D0560E54D158FBB3B71AA0D2F3B',0);
INSERT INTO "events" VALUES(4,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":21,"piece":"red"},"ply":9,"changes":[[21,"red"]]}',X'07E5E45C80B4E2F1138221EFB79B17804C946EA06FA06C15BF486808E893305F',0);
INSERT INTO "events" VALUES(4,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7F512D29B9B6F394FDAA16660F3E0027FE39C96D3619A6A3C634B4AFC47CCA8B',0);
INSERT INTO "events" VALUES(4,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":14,"piece":"yellow"},"ply":10,"changes":[[14,"yellow"]]}',X'8FF9CEF2F7EA4D178BB878B5A4A4464813AD66D54EFA19566DAF10D2F5731FD0',0);
INSERT INTO "events" VALUES(4,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'393E387D4C40B1C5F8C2D5574833EC967EA63DF180EB3F6234B6AA0BF8523239',0);
INSERT INTO "events" VALUES(4,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":24,"piece":"red"},"ply":11,"changes":[[24,"red"]]}',X'3668FC9BA9AF24280A1238574128062F0FD5F27F07B99C98A24B17BF29617D02',0);
INSERT INTO "events" VALUES(4,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7C56D88171036F955D9BDD1465486FE082AF2EB93D5727102976C239CC68607F',0);
INSERT INTO "events" VALUES(4,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":39,"piece":"yellow"},"ply":12,"changes":[[39,"yellow"]]}',X'D70AE23EBF1F891B84BF0D44D51885BC5033ADD7830BDC4D671B10BA54AB2421',0);
INSERT INTO "events" VALUES(4,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D9CD203F8E910BD512B4B44F00C4ED4A0360299CAD3FAD162A610F86054BA470',0);
INSERT INTO "events" VALUES(4,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":30,"piece":"red"},"ply":13,"changes":[[30,"red"]]}',X'6C2403DE4CE7849DB17226F5D526B080F92044AD174B0890E19C71B5C73D1D72',0);
INSERT INTO "events" VALUES(4,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6120949FB3EBF0EA8A3165373E038B9B891BB406D4F50212EE205B6E01F9D0D6',0);
INSERT INTO "events" VALUES(4,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":41,"piece":"yellow"},"ply":14,"changes":[[41,"yellow"]]}',X'35E7D7C1E034524EEF8713429E48F1261192C637268EC51338DD18A680C6A70F',0);
INSERT INTO "events" VALUES(4,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'A3A5374DA8547560467D8CE8B8806B129F98BCC905594CE55FDDE51F1F044234',0);
INSERT INTO "events" VALUES(4,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":34,"piece":"red"},"ply":15,"changes":[[34,"red"]]}',X'EDB375B5D99367B6893F6A603E224FD5B0FA4CE9FAAAC987FA0E4FD5C86D6896',0);
INSERT INTO "events" VALUES(4,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'8791E57E4A3988CBCF051B44A7504F9092A74AFE601D2678A34933146DB05029',0);
INSERT INTO "events" VALUES(4,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":7,"piece":"yellow"},"ply":16,"changes":[[7,"yellow"]]}',X'790FEB642A1173070442086BD25F618BDB26EE535C3DF892AF274B7385DA6C7E',0);
INSERT INTO "events" VALUES(4,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'0BA007FE0931815FE268624F487236A26E0042C9749325FB129539EF0A8BCDCA',0);
INSERT INTO "events" VALUES(4,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":22,"piece":"red"},"ply":17,"changes":[[22,"red"]]}',X'50523CD0CEBD0180C94986788D3C3B686A0D9CBD22D3E07BDD18FE62F1764E4C',0);
INSERT INTO "events" VALUES(4,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'874CEC1E092B2CB955DDD296751E40560479BFEE48C6DE7125887B6E92762B61',0);
INSERT INTO "events" VALUES(4,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":32,"piece":"yellow"},"ply":18,"changes":[[32,"yellow"]]}',X'034529B42A904A7966550B071E031BD2566009B910762B3DCB140F070798BF58',0);
INSERT INTO "events" VALUES(4,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'47F3B82C1079C41076CC9B1F212A760C38D5A943018C681752C5DE38BF75B11E',0);
INSERT INTO "events" VALUES(4,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":25,"piece":"red"},"ply":19,"changes":[[25,"red"]]}',X'512DF8488C17B0C232B494F34BD7F9B6817C45A5FBF03BE15B7BB1012FF7AD33',0);
INSERT INTO "events" VALUES(4,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'B539C4D41DFAD16D9FEE0477472BEF90434AD21D8E68CF029458F5653E669C9F',0);
INSERT INTO "events" VALUES(4,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":23,"piece":"yellow"},"ply":20,"changes":[[23,"yellow"]]}',X'EE0524B2F9A31EA74A58F09C71C01FED4C7F8AB0EFE7688E9356A274B415E374',0);
INSERT INTO "events" VALUES(4,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'7AA3D3A4F584825C6E50B95207BD921BDB3208A9181DF484410BBC30CD2C5C7B',0);
INSERT INTO "events" VALUES(4,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":16,"piece":"red"},"ply":21,"changes":[[16,"red"]]}',X'A35B2EB4743C3CEF9771124BBF37FDEA618AC0963F09A233FF1E208895A57729',0);
INSERT INTO "events" VALUES(4,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7B639CA30E876FFAD40DED267CCBD8D199BF4A1F30998C5B5CE8B2DA699AA1DA',0);
INSERT INTO "events" VALUES(4,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":27,"piece":"yellow"},"ply":22,"changes":[[27,"yellow"]]}',X'5B6530223FC6C960F7F9EC4F541EECDB5BC5423844352DEBF1CD0C354B984238',0);
INSERT INTO "events" VALUES(4,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'4DE050B73A3F9FF36159E30A27B1AC6ED72E4F98C8F51F64CDBD45135D7B44AE',0);
INSERT INTO "events" VALUES(4,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":15,"piece":"red"},"ply":23,"changes":[[15,"red"]]}',X'7B2B9EAEE6DD44D22B0C4AAAB7053F55AA714FEE8F25BD7321D24D8B3BC0EA32',0);
INSERT INTO "events" VALUES(4,54,1770000000.25,'GameEnded','{"outcome":{"winner":0,"reason":"rules","detail":"four in a line"},"secret":""}',X'FE2444F057002D6C54CA737A1D5E775FD1F8F403264F0EC643FF4F2A53D9C66B',0);
INSERT INTO "events" VALUES(5,1,1770000000.25,'TableOpened','{"settings":{"game":"go","variant":"area","width":19,"height":19,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'366E72FC0E7194F5983ABBA68569547BAC90EAAACC23C7A5150D27D8DA9A1285',0);
INSERT INTO "events" VALUES(5,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'D416D23A1170205F8714D790E14A8764B53C2293C4762283E0D9031DD1FEB48A',0);
INSERT INTO "events" VALUES(5,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'BEFCDFC3CD219C6E4865B3FA6B3256801DA8689158C6D9D928FBE374EBF2307A',0);
INSERT INTO "events" VALUES(5,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'3F86890FE97793CD066454403E7999742784EA051C61B45906E74C083EB157E8',0);
INSERT INTO "events" VALUES(5,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'6961C4AC2BEF7509E90D791BE7503CB44073542CD8EC71159F320A8032BF89B8',0);
INSERT INTO "events" VALUES(5,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"go","variant":"area","width":19,"height":19,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'EF93614E0368A24B3CC01BE25DA8BB179F6B1EC0D4D421EC93E8747C219A6E3A',0);
INSERT INTO "events" VALUES(5,7,1770000000.25,'GameStarted','{"settings":{"game":"go","variant":"area","width":19,"height":19,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[],"position":".................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../.................../................... 0 0-0","commitment":""}',X'15E7BDB68D09E03CFB03987CBFF3FEAC8218C1A9D46BD1C5D92171481DD334ED',0);
INSERT INTO "events" VALUES(5,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'CBA26328D0048AA682B84B6E89C55816A256095469824BF840DA88DC4EF46280',0);
INSERT INTO "events" VALUES(5,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":318,"piece":"black"},"ply":1,"changes":[[318,"black"]]}',X'D9ECCEDA635812596BEDB23FC5A6FFF0E2C9FD02B427A0E3E7AAA77C9D20A864',0);
INSERT INTO "events" VALUES(5,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E00C7E2B38EA1A17E335B4A83BC6CEB22EFDBF41199BE4BDF61E706F8AE89FCE',0);
INSERT INTO "events" VALUES(5,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":130,"piece":"white"},"ply":2,"changes":[[130,"white"]]}',X'6A11A3F7580398B1AB3D2CFE078CDA518930F8428BC56BAFBFDFBFE61F1C77FF',0);
INSERT INTO "events" VALUES(5,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'98ADD699DC5F0051F1DD089578276B10B3AB48257558021A98735A19DEE08865',0);
INSERT INTO "events" VALUES(5,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":184,"piece":"black"},"ply":3,"changes":[[184,"black"]]}',X'E8AC29954DD62D06FF10F00EFEF07BE655256372C7F5C32F1C96FD298852CF91',0);
INSERT INTO "events" VALUES(5,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4ACCAB04EE9F6818EAC1DBB11288A840B1AE41E2F82A59B577068BB475F9078F',0);
INSERT INTO "events" VALUES(5,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":356,"piece":"white"},"ply":4,"changes":[[356,"white"]]}',X'5890D8BD93EDBCDDA443B8B0B4498D551B61564E27913FFC054E0B8D1FD28648',0);
INSERT INTO "events" VALUES(5,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'8ABD3588DCDE12F5829E7A239DFF418C89448A3D4BC093D4C1478495121E5B73',0);
INSERT INTO "events" VALUES(5,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":336,"piece":"black"},"ply":5,"changes":[[336,"black"]]}',X'8D7DAECF6B2D926C5E634A298DAD908A394F299DC0565DBA7770DE68F078AD64',0);
INSERT INTO "events" VALUES(5,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7D12EB6E1EF48A11DB329EFA98DC678463BD23A1A4F2E980E41F80C060DE8C02',0);
INSERT INTO "events" VALUES(5,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":273,"piece":"white"},"ply":6,"changes":[[273,"white"]]}',X'18FC47A141CE01E2275651AEEC898A6A1A8646FFC1CFD57D9B3F4BCEF79A0A5A',0);
INSERT INTO "events" VALUES(5,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'A86F3DD1C195D7D530449DE3BD086C83835DB08762FE57953A01739332702727',0);
INSERT INTO "events" VALUES(5,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":14,"piece":"black"},"ply":7,"changes":[[14,"black"]]}',X'A818C5D919FD4F433CF5718D76A2D231EB0E6934C38A78A67BE6C9572F33C7A6',0);
INSERT INTO "events" VALUES(5,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'511727CDC02AC4A6EF4E4CB092813885CFE1D887724ABC8FC99CEF1024797BE0',0);
INSERT INTO "events" VALUES(5,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":241,"piece":"white"},"ply":8,"changes":[[241,"white"]]}',X'1C943199A0E1A522D88ABE68FCA7214391B7871ACAE78D777221F8508215033D',0);
INSERT INTO "events" VALUES(5,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'4356C0B0292E88FA366A342D87785921B70C3BD32D1A360102D711CA621828C3',0);
INSERT INTO "events" VALUES(5,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":128,"piece":"black"},"ply":9,"changes":[[128,"black"]]}',X'D71689641E85CB26386F5B5585E823385A2F07E812AE6BA62080A898EBEFCB5B',0);
INSERT INTO "events" VALUES(5,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'A21BFBE581E11DA108D080A5A7ECA200871A7F20D692E8CA1441D8BBD99EA34C',0);
INSERT INTO "events" VALUES(5,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":340,"piece":"white"},"ply":10,"changes":[[340,"white"]]}',X'5818673B883C58B252F483ABC7FFF1F52FD3CCED21FA4C532F02664804E94F86',0);
INSERT INTO "events" VALUES(5,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C527494F2B2F3B7E8CFF5965161A69521F775F992F55BAE2C054D6E7CEC71A0D',0);
INSERT INTO "events" VALUES(5,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":27,"piece":"black"},"ply":11,"changes":[[27,"black"]]}',X'A4F035E04FAA3AC212F5F03713A066B4327DBEC0E0D10D890307266FCC2CEE22',0);
INSERT INTO "events" VALUES(5,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E3D65ACDE7955F83C9725DA0891DD6A17C92F6DD2798E36B7450F09026DBFA18',0);
INSERT INTO "events" VALUES(5,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":82,"piece":"white"},"ply":12,"changes":[[82,"white"]]}',X'83715148F839C1D4DC29CD640A3AA038ED04E7EA650FF5D5EB946C6E07FB2D08',0);
INSERT INTO "events" VALUES(5,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'3F28F63137F49F05CE1C198398D9133760320726EFA642E25707C52DA5E5CEC9',0);
INSERT INTO "events" VALUES(5,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":59,"piece":"black"},"ply":13,"changes":[[59,"black"]]}',X'6C3E0DFBCAE4322B79EF780A96E93B1D94E37E4C9D8EB794A2D776DAA240803D',0);
INSERT INTO "events" VALUES(5,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'5B59B42E77B49D57281B3468389FB01B10CE7573C07A9CC6D42C8151EF90647C',0);
INSERT INTO "events" VALUES(5,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":197,"piece":"white"},"ply":14,"changes":[[197,"white"]]}',X'F8E260441511C22D8F46F29275E0018A6137B99D6FA09E7C06ED2C0B21776198',0);
INSERT INTO "events" VALUES(5,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D06753328B740BEE1210CF9A08E19661C604E952D7E0977E33B6A27978CB1515',0);
INSERT INTO "events" VALUES(5,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":249,"piece":"black"},"ply":15,"changes":[[249,"black"]]}',X'C1519AC99A75BFDC3D606073A1342F9BD5FB1BE1E313452ECE74A2F7A0B9359B',0);
INSERT INTO "events" VALUES(5,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'F066518C4849193072C07FA9BB1842956B02B2C0F1F57ABBAD8FCD6BCFC6B713',0);
INSERT INTO "events" VALUES(5,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":132,"piece":"white"},"ply":16,"changes":[[132,"white"]]}',X'9D682C5355441AB9CF595F823E0FBDDDD7EF7F506308310834FA68020F00908E',0);
INSERT INTO "events" VALUES(5,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'63FE2C8B82684D433CB0F715367FFD0D48BDAE34CAB290D919958443D7F8E4FB',0);
INSERT INTO "events" VALUES(5,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":203,"piece":"black"},"ply":17,"changes":[[203,"black"]]}',X'2BAFEAFE35A21212238B41597BDB8D58981468B8A717458D04581032E221C000',0);
INSERT INTO "events" VALUES(5,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'48B2671829639D75124C7C5CBEB4CF7286CD2FF2C908F8F87214B1DC7C473835',0);
INSERT INTO "events" VALUES(5,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":291,"piece":"white"},"ply":18,"changes":[[291,"white"]]}',X'418FF15A11540A9E204D4774DE2B32D917D9D682BBD1726DEE70B468035A0F0D',0);
INSERT INTO "events" VALUES(5,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'BAC384501BE2D19F370AFE6814E075EDBC019BA2DCE4084B86E697AEA3CE571A',0);
INSERT INTO "events" VALUES(5,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":54,"piece":"black"},"ply":19,"changes":[[54,"black"]]}',X'3325961275465525FE97581690A4A3FECC97315C6CA2B105ED6245ECD6B831EE',0);
INSERT INTO "events" VALUES(5,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'21BC18C47CEA220076163216271A55D3F8CAA02CB6C2A1F03864DA49CC0DECC2',0);
INSERT INTO "events" VALUES(5,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":308,"piece":"white"},"ply":20,"changes":[[308,"white"]]}',X'5143AF536A581E4EA7D7F44226754FCB0BC2772CF3A6B78DCA102645A57E0B1B',0);
INSERT INTO "events" VALUES(5,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'11970C3B36AB58D899327FDE0CC64C9C19AD1AAA9E85D458575C9DE9472D1297',0);
INSERT INTO "events" VALUES(5,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":135,"piece":"black"},"ply":21,"changes":[[135,"black"]]}',X'A0EFE813387002F939D938450E8B35980E5FE6501EF7D7063458BAF09964FDE0',0);
INSERT INTO "events" VALUES(5,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'3E957B2F6A1900B8F76B80F50B10CB40D6760FFF2E3277DF7008515A0CEF0C0A',0);
INSERT INTO "events" VALUES(5,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":6,"piece":"white"},"ply":22,"changes":[[6,"white"]]}',X'02423BA81B765240F05129F1642D66E506923319C5EC48A36E8979D6A9F3BD42',0);
INSERT INTO "events" VALUES(5,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'6A342C58CCCA2871690849C6ACAD7F54D048725D3A7F22C5B7D1C396EAD1ED6C',0);
INSERT INTO "events" VALUES(5,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":116,"piece":"black"},"ply":23,"changes":[[116,"black"]]}',X'9DB08F733C7BF147980A58B89B65C6C11AF753139E0D994F5DDB504CAACD12CF',0);
INSERT INTO "events" VALUES(5,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'40F91A40227C3D4008A0304748B9C004A20B1DE3B7D74D158811BBFE7C9A9279',0);
INSERT INTO "events" VALUES(5,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":222,"piece":"white"},"ply":24,"changes":[[222,"white"]]}',X'74B859CB34C18230587315A921FA217B700DDEA8664E3CCC790012DE8F714F9A',0);
INSERT INTO "events" VALUES(5,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'4BE4835EC86A1AA5E1C38F62FA491DCC4F1CF8303E0AA223056817EF5EB95C67',0);
INSERT INTO "events" VALUES(5,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'7590E40ABC1FB7FC3BF95C9E8E586BA1724C39796BC041B964AB4A9D82E0224D',0);
INSERT INTO "events" VALUES(6,1,1770000000.25,'TableOpened','{"settings":{"game":"hnefatafl","variant":"copenhagen","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'F7866AE8D275C8AD532F9628AB0451D8A8F54EB048358F0B42D55DAC6A3372E6',0);
INSERT INTO "events" VALUES(6,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'F97EB1C9F31F9BBE40556F09C86AEFCED072A755D41210C22CA51F646338C7A1',0);
INSERT INTO "events" VALUES(6,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'7BA9C8487A902023DEE3D1D29657F9BFACFB615C0433524B160E948C2403BF59',0);
INSERT INTO "events" VALUES(6,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'6717A1AEE08CD0DEA2D4893DF865D9C7F96414D68DB6C962EDAEF7544C4B3EDC',0);
INSERT INTO "events" VALUES(6,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'A71CA8E1570F70D3A6CD004D61126D2F87D40DCB4745D2A54851773231679C1B',0);
INSERT INTO "events" VALUES(6,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"hnefatafl","variant":"copenhagen","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'62DB5159BDAE80EDBDF4F0561438DE2F8FCAD5282D4F9E604662F7197D74A351',0);
INSERT INTO "events" VALUES(6,7,1770000000.25,'GameStarted','{"settings":{"game":"hnefatafl","variant":"copenhagen","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[[3,"attacker"],[4,"attacker"],[5,"attacker"],[6,"attacker"],[7,"attacker"],[16,"attacker"],[33,"attacker"],[38,"defender"],[43,"attacker"],[44,"attacker"],[48,"defender"],[49,"defender"],[50,"defender"],[54,"attacker"],[55,"attacker"],[56,"attacker"],[58,"defender"],[59,"defender"],[60,"king"],[61,"defender"],[62,"defender"],[64,"attacker"],[65,"attacker"],[66,"attacker"],[70,"defender"],[71,"defender"],[72,"defender"],[76,"attacker"],[77,"attacker"],[82,"defender"],[87,"attacker"],[104,"attacker"],[113,"attacker"],[114,"attacker"],[115,"attacker"],[116,"attacker"],[117,"attacker"]],"position":"...AAAAA.../.....A...../.........../A....D....A/A...DDD...A/AA.DDKDD.AA/A...DDD...A/A....D....A/.........../.....A...../...AAAAA... 0","commitment":""}',X'D9DD288E7C6B4B6F54E98B0B8A1FC49BEEEDF0CAA0A221C7D6C4D7E30782BD0C',0);
INSERT INTO "events" VALUES(6,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'11304E5EEA6B7407C030452C95A2A0C9E3EC1BA8203E2F05F6081FBC2FCBBE65',0);
INSERT INTO "events" VALUES(6,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":113,"target":69,"piece":""},"ply":1,"changes":[[69,"attacker"],[113,null]]}',X'FF2CF40902FAECAC3B3C0DCBE85DE17B90AD3550A5AF7C5264F17A81A9415CC3',0);
INSERT INTO "events" VALUES(6,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'EE85445F4DC0FBB8EFE504B51F7B54A6745D56C2A98BF71BB42FA450BE164BAE',0);
INSERT INTO "events" VALUES(6,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":70,"target":92,"piece":""},"ply":2,"changes":[[70,null],[92,"defender"]]}',X'96196F0FDBE9E85D3B6154A38D2DFDA17D1A7FB0F4C5D2E325D6C55F6D215F04',0);
INSERT INTO "events" VALUES(6,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'066E41B94A85EDE9CCC2785122D6B758697BBC49B9813856C832B145DE62A165',0);
INSERT INTO "events" VALUES(6,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":114,"target":113,"piece":""},"ply":3,"changes":[[113,"attacker"],[114,null]]}',X'A81AA6EFFCFFA689D51E046BA5BD51C24485FF87C26410435859BB1139E7C3E5',0);
INSERT INTO "events" VALUES(6,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'3771DA5F9FAF19136E591746DD405652BC0E531F6318E36917ED183B974F63C6',0);
INSERT INTO "events" VALUES(6,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":48,"target":26,"piece":""},"ply":4,"changes":[[26,"defender"],[48,null]]}',X'ED783649C789856E1EB877C7A5EFB103662D430279DF7A41F0227D19A43EA609',0);
INSERT INTO "events" VALUES(6,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'22E19DD3E4EB7DA458F12C73672AB491E53134C39E300D2926152B4341067A16',0);
INSERT INTO "events" VALUES(6,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":64,"target":63,"piece":""},"ply":5,"changes":[[63,"attacker"],[64,null]]}',X'DDD28464994D064FEA837BE4DEE74098B3BDFECD718CD29059CC843CC4C56E5C',0);
INSERT INTO "events" VALUES(6,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'72E9891ED083EB3E92C7DA05094F04EA165D0D6B13026610AF516A228153B6A3',0);
INSERT INTO "events" VALUES(6,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":58,"target":36,"piece":""},"ply":6,"changes":[[36,"defender"],[58,null]]}',X'8BF09E9231CB78F8D1858BD5251BF594CA9EAB344F2AFA726FDA99FCF5035CDA',0);
INSERT INTO "events" VALUES(6,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C3293ECAEE2A5649ABA17DF4FC8464E5D05FB5AEAC46E642A0F8A2506A9DDFED',0);
INSERT INTO "events" VALUES(6,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":4,"target":15,"piece":""},"ply":7,"changes":[[4,null],[15,"attacker"]]}',X'33668CB238AFD6F1BA70FE5B4106717B9B5BF69525BA8C71798EBB3359FE7DE2',0);
INSERT INTO "events" VALUES(6,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'A21596FB46334365FC456BE8D7850B8667CBE630AC7CE0CBC058A87D130C2612',0);
INSERT INTO "events" VALUES(6,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":26,"target":25,"piece":""},"ply":8,"changes":[[25,"defender"],[26,null]]}',X'C625994A40F9A36A0CB96CEC738F1D5C3AC3EA9573782AFD894B08AF2E049C0F',0);
INSERT INTO "events" VALUES(6,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'7347CE86EC82195C9E2E9B569730138BA74CD9CD79C07592A1B0BC4E1959B92D',0);
INSERT INTO "events" VALUES(6,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":15,"target":11,"piece":""},"ply":9,"changes":[[11,"attacker"],[15,null]]}',X'304B38E43CE42D2276059D0658021E415B9B552F1E85D15FCCA5C6FB8FC50816',0);
INSERT INTO "events" VALUES(6,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E5ACF0ABCB108EC74CA70C890AF9782BC5027FCC7DF3ED2D01C57A62BC934224',0);
INSERT INTO "events" VALUES(6,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":92,"target":97,"piece":""},"ply":10,"changes":[[92,null],[97,"defender"]]}',X'840507C27F1A69B187BA79D850430AA10B3BF545DF6ABBD387992FF94F9406F9',0);
INSERT INTO "events" VALUES(6,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'40478AA08521A850BE109FC3FD71FDE40FCC317CD453E37318483C047FB20711',0);
INSERT INTO "events" VALUES(6,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":63,"target":19,"piece":""},"ply":11,"changes":[[19,"attacker"],[63,null]]}',X'529101F805ABA50A71527B372EAED4A32E42460AC49A37ED7B15457167772975',0);
INSERT INTO "events" VALUES(6,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6290173C7CC33AE7996694717371D8037A53999E52051A9068113D3142CC6916',0);
INSERT INTO "events" VALUES(6,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":62,"target":18,"piece":""},"ply":12,"changes":[[18,"defender"],[62,null]]}',X'E309761183BC5FE9744C3D5BDC1331B8D9657AE794693CFE5A88FB5128A1F26E',0);
INSERT INTO "events" VALUES(6,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'0D8D3FA62F28E54BE78FCBCC172E79FEE9795C074851623EA8D002B371FD54E6',0);
INSERT INTO "events" VALUES(6,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":43,"target":40,"piece":""},"ply":13,"changes":[[40,"attacker"],[43,null]]}',X'56A5729BFC7C83431C20196661FA45D6ACBF83B6DEA21745785683EECA8A7BDC',0);
INSERT INTO "events" VALUES(6,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'C39CF490DA7C500DCD9F9321DE23D09A92797B13FD1D23BA18A6052D8A9E11FD',0);
INSERT INTO "events" VALUES(6,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":25,"target":14,"piece":""},"ply":14,"changes":[[14,"defender"],[25,null]]}',X'1FEE1D6CB34C7A10E6D20D1FEA13D10D5E416C11477BFE8B2B8914A8340DFC1A',0);
INSERT INTO "events" VALUES(6,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'0729864DDD88AEEEECD6E3371AE04F0AD7C9C9FCD1AC256A936095DEFD793CEB',0);
INSERT INTO "events" VALUES(6,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":40,"target":43,"piece":""},"ply":15,"changes":[[40,null],[43,"attacker"]]}',X'BDB4D7D2996B87209C5DE279EE57082AE2933F17E3F34E23B3544E20151E351D',0);
INSERT INTO "events" VALUES(6,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'C6AF53AC72D4B372FB050601D1C242733DA73449FB9F96D92B460EE9EA36C43C',0);
INSERT INTO "events" VALUES(6,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":82,"target":84,"piece":""},"ply":16,"changes":[[82,null],[84,"defender"]]}',X'26472C44A98CE6378F1BF33696C7BA91CFE1617651067EE35AFC1FD9D1C53876',0);
INSERT INTO "events" VALUES(6,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'08263C28EE371CA57A3D39E3E2018A30B089BE3393B58215B93F7CC3E8896AA8',0);
INSERT INTO "events" VALUES(6,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":116,"target":105,"piece":""},"ply":17,"changes":[[105,"attacker"],[116,null]]}',X'19BBD631F51E5DB47636D4A174FA192D9A9F85B1E8B80FD538B785F984CC4501',0);
INSERT INTO "events" VALUES(6,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4C7741231F2BF0488C504EB48D65C76E7292E871CE4FADDFFCCF88C482664485',0);
INSERT INTO "events" VALUES(6,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":49,"target":45,"piece":""},"ply":18,"changes":[[45,"defender"],[49,null]]}',X'E97E17076F16824FBE8F737DBF679F8CA8154AE4438F729D0BB036FE0A721345',0);
INSERT INTO "events" VALUES(6,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'53C2D2B7A78B48AD43C1E2863F8F5CE6D4C81CC5102FF0952561953F9C04C6C7',0);
INSERT INTO "events" VALUES(6,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":113,"target":114,"piece":""},"ply":19,"changes":[[113,null],[114,"attacker"]]}',X'67417BA66F9590F44BCA88C522965CE8C75A1A17B057753B3CB2EA0EF09EBD15',0);
INSERT INTO "events" VALUES(6,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E2F1E943742B23E8E633C9C5547B15EDC95BC2DE0F565BBD2FD0D23E77A6A3B8',0);
INSERT INTO "events" VALUES(6,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":60,"target":49,"piece":""},"ply":20,"changes":[[49,"king"],[60,null]]}',X'CBCE4742F1268BF047B01A6344E31ECF893D8C6806B4B8A042722FD35F7F9FAB',0);
INSERT INTO "events" VALUES(6,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'49B5C5ED9E08C1AE75EC5C80381ADA35FA70C37D57D955D155583F38A47EA793',0);
INSERT INTO "events" VALUES(6,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":77,"target":83,"piece":""},"ply":21,"changes":[[77,null],[83,"attacker"]]}',X'DDAC9EFA6D32EA1B62B00F7E6002A7189E12BB6AEF5EF4E5CE48D83555A684EA',0);
INSERT INTO "events" VALUES(6,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'AB56D85DBC01D4750E4CAD39D393F08F402D2E88818A6B57A0E23EC0A98D8EFA',0);
INSERT INTO "events" VALUES(6,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":97,"target":75,"piece":""},"ply":22,"changes":[[75,"defender"],[97,null]]}',X'E05B5DA7541F6B276513462A04B99CFD218EE270F2CAE2777D1A3133E390F462',0);
INSERT INTO "events" VALUES(6,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'95BC0EA23E0378D0F9537D0A159C9797204F8D1F2597659609A4725B4DB6DB66',0);
INSERT INTO "events" VALUES(6,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":114,"target":103,"piece":""},"ply":23,"changes":[[103,"attacker"],[114,null]]}',X'98FA098A19FD8BA0C5DEDD3A818C26A1B36D405EE383ECA2280A063488EBEA63',0);
INSERT INTO "events" VALUES(6,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4966A7BA3DC267A555AF7A86743FCB1625E8ACB83CD1A4A9F4AF5923711A9F55',0);
INSERT INTO "events" VALUES(6,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":36,"target":34,"piece":""},"ply":24,"changes":[[34,"defender"],[36,null]]}',X'DEBDC2181F57467742DD5CA9EAF8F78E64F592BBE1DF3EB38D5BACA8BA4E8E25',0);
INSERT INTO "events" VALUES(6,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5C28ED1D0CC07D3A963D52BED1F870F8E4E6BD4C35C649A1F9E0F2DE12D5000B',0);
INSERT INTO "events" VALUES(6,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'C75469E3B90EBAA6C4A5EA44805AAF552CB6BAB75868648A0E3D160F78056295',0);
INSERT INTO "events" VALUES(7,1,1770000000.25,'TableOpened','{"settings":{"game":"ludo","variant":"maedn","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'03FB340C8B2AB26AB62F51BD3ACF5260282A808178617743B0F4D49A47D5FB6B',0);
INSERT INTO "events" VALUES(7,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'A334C6B14402CACCCAEA0404D2A238874F7B5F42803A967A50756077BA50846E',0);
INSERT INTO "events" VALUES(7,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'1DEF6D134D4438C6C6FB36BB4DC89065AADD32C3D63265036533A9ABD75CE96A',0);
INSERT INTO "events" VALUES(7,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'7671529B791D197FD332F8D2A42FAB4DFFC8DEC4394DAF21D54E0C760816B922',0);
INSERT INTO "events" VALUES(7,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'40854CA2F7B9B815985F51136C5F6C025B775ED37CE56F38828BCF1CD6398013',0);
INSERT INTO "events" VALUES(7,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"ludo","variant":"maedn","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'E7CCFA6C88E47036EB3516C2A3DD463810F2AFEBBB095D2BA25B7E5CB796D077',0);
INSERT INTO "events" VALUES(7,7,1770000000.25,'GameStarted','{"settings":{"game":"ludo","variant":"maedn","width":11,"height":11,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[[0,"yellow"],[1,"yellow"],[11,"yellow"],[12,"yellow"],[108,"red"],[109,"red"],[119,"red"],[120,"red"]],"position":"yy........./yy........./.........../.........../.........../.........../.........../.........../.........../.........rr/.........rr 0 tries 3","commitment":"bf6a687b076a06cf1c2a2a081f2b0fe6e39e22b549fbdaec6c43a17f67bbb791"}',X'BCA2D6E26A1F737C2C352A8794CC284F44A2B8A3717BCD39D34ED5352FCDE768',0);
INSERT INTO "events" VALUES(7,8,1770000000.25,'DiceRolled','{"seat":0,"number":1,"value":2}',X'4392EC57619563F895572BF39E958708E9CF1EC842659613427952FCD0DBEC8A',0);
INSERT INTO "events" VALUES(7,9,1770000000.25,'DiceRolled','{"seat":0,"number":2,"value":2}',X'09D845AA3445122FECC31ACAFA03E90799044E46AAB62BDFBA754B3112AEA897',0);
INSERT INTO "events" VALUES(7,10,1770000000.25,'DiceRolled','{"seat":0,"number":3,"value":6}',X'361D25AF63A95C6FA473058911A02C2F5CB84A52A6E8010ECB8F3917DFC8AB72',0);
INSERT INTO "events" VALUES(7,11,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'DEDFBDC6AC7D8AA9B8755442B462416148F1A7E634486FADD907DC7BADBDD79C',0);
INSERT INTO "events" VALUES(7,12,1770000000.25,'MoveMade','{"seat":0,"move":{"source":12,"target":44,"piece":""},"ply":1,"changes":[[12,null],[44,"yellow"]]}',X'CDE4F2E2956AFD21AA4876280A9B61604B0639BDC429FF59A8103DE5B1730B9C',0);
INSERT INTO "events" VALUES(7,13,1770000000.25,'DiceRolled','{"seat":0,"number":4,"value":4}',X'663EAABF63175FA2FE858E503AD48355118A273A9CB1E51F69026A6A396ABEB4',0);
INSERT INTO "events" VALUES(7,14,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'72418781309A21A2414544FEA1D83DDAE5B697DD59132DD310763C595D012981',0);
INSERT INTO "events" VALUES(7,15,1770000000.25,'MoveMade','{"seat":0,"move":{"source":44,"target":48,"piece":""},"ply":2,"changes":[[44,null],[48,"yellow"]]}',X'7AAE77E04A6169E3AF2112D3563DC424A766B2779CA64AF95043637B27B76C83',0);
INSERT INTO "events" VALUES(7,16,1770000000.25,'DiceRolled','{"seat":1,"number":5,"value":4}',X'F1A57886B4F5C24C366DEAC06DC80810115901A96A1FE7AA4AC0368DBBA0F7EE',0);
INSERT INTO "events" VALUES(7,17,1770000000.25,'DiceRolled','{"seat":1,"number":6,"value":3}',X'F8F97410022133A03B16596AD425A3052B0A2BB0FCE1A21A32D12C60FA007ABC',0);
INSERT INTO "events" VALUES(7,18,1770000000.25,'DiceRolled','{"seat":1,"number":7,"value":1}',X'EB2745BD56ABAD21001538734A566BD0D00BAC64C2D138D375EBC2BA481DE84C',0);
INSERT INTO "events" VALUES(7,19,1770000000.25,'DiceRolled','{"seat":0,"number":8,"value":2}',X'1E49F36960E28992237205BC9F7C91092252069BF537F7B93ED7FA648C3E454B',0);
INSERT INTO "events" VALUES(7,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5719A8291922C56EC24A9D8D2A305AD9086BC696B7328BEC7B41A556EC54F313',0);
INSERT INTO "events" VALUES(7,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":48,"target":26,"piece":""},"ply":3,"changes":[[26,"yellow"],[48,null]]}',X'E445A623946A046038D7DC762C790CB5A3E9CD7B1237A477906582A82C4B1854',0);
INSERT INTO "events" VALUES(7,22,1770000000.25,'DiceRolled','{"seat":1,"number":9,"value":4}',X'E18F0C0C8AA962C27F5370F10E59A8679EB25D6103C8309BD046D86EDA00D659',0);
INSERT INTO "events" VALUES(7,23,1770000000.25,'DiceRolled','{"seat":1,"number":10,"value":6}',X'28D97974FC2BD6C54F53F42E19914961B2A436389E4E5F976BB531C6AB5B8729',0);
INSERT INTO "events" VALUES(7,24,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'594D5C7FBAA10EE86294E5DB3804466206F811DFF4A8203409C12757EC16941D',0);
INSERT INTO "events" VALUES(7,25,1770000000.25,'MoveMade','{"seat":1,"move":{"source":108,"target":76,"piece":""},"ply":4,"changes":[[76,"red"],[108,null]]}',X'88474F423217E761ED229DEFBC2838787AFD68B60D0C15540D96EE376116D7C2',0);
INSERT INTO "events" VALUES(7,26,1770000000.25,'DiceRolled','{"seat":1,"number":11,"value":2}',X'B750BF4835DC04ED35F2C95E641C0226A304F80C9BBF8C92149EAB46B15F918C',0);
INSERT INTO "events" VALUES(7,27,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'5E887F3535E84FA728614EB0D45DC6D2DB5F0162F04CB11B67630288A2FD7A9E',0);
INSERT INTO "events" VALUES(7,28,1770000000.25,'MoveMade','{"seat":1,"move":{"source":76,"target":74,"piece":""},"ply":5,"changes":[[74,"red"],[76,null]]}',X'0E22DE89C0CB08709C797912E16CAF0782F86CE078E30A5348298EC8772C81F3',0);
INSERT INTO "events" VALUES(7,29,1770000000.25,'DiceRolled','{"seat":0,"number":12,"value":2}',X'A4D1E13A5CC4DA751D81EDCDDD44A8F939012BAE2517111432DDF8C40E0ACE4B',0);
INSERT INTO "events" VALUES(7,30,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D434D018A4531750F7DD53668DEC1E17060106064742CB64622A14B4C2FDC5C0',0);
INSERT INTO "events" VALUES(7,31,1770000000.25,'MoveMade','{"seat":0,"move":{"source":26,"target":4,"piece":""},"ply":6,"changes":[[4,"yellow"],[26,null]]}',X'9F94EA67A564018CAD2101AA2471455C78A8AE299F91ADE03495B6DDB8941727',0);
INSERT INTO "events" VALUES(7,32,1770000000.25,'DiceRolled','{"seat":1,"number":13,"value":2}',X'E095F6F6BE36BFAB0BFF7684277683E02C26ACD80573E5A5294BBE6628D72450',0);
INSERT INTO "events" VALUES(7,33,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'029F780A8DE5A0E7CBB05760815D6D0919EDA2E2360EC78662372DC9277CF842',0);
INSERT INTO "events" VALUES(7,34,1770000000.25,'MoveMade','{"seat":1,"move":{"source":74,"target":72,"piece":""},"ply":7,"changes":[[72,"red"],[74,null]]}',X'51FA6D3C6EA28EC86B9219C8867BB73F384372686598AFF32096714AA2983305',0);
INSERT INTO "events" VALUES(7,35,1770000000.25,'DiceRolled','{"seat":0,"number":14,"value":6}',X'AEB46DEFAA714EC2149FF1E1F1B4860F8A64ADEBB7AA48EF7DB4DB17A1F529F5',0);
INSERT INTO "events" VALUES(7,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'7EBA13CBA82CADC672F250DE37D3A4B80F280987E0996EE6FB4B762D9395F1EE',0);
INSERT INTO "events" VALUES(7,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":11,"target":44,"piece":""},"ply":8,"changes":[[11,null],[44,"yellow"]]}',X'A09BA8F313DD477C8982C65952EA5382F469F74DB7D6AF89127A356F1204D951',0);
INSERT INTO "events" VALUES(7,38,1770000000.25,'DiceRolled','{"seat":0,"number":15,"value":4}',X'CCA72012C58708438FDDC86420EB2CE590F457DA9E70CE72C3B0EC2301DCE478',0);
INSERT INTO "events" VALUES(7,39,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'09DDD672D4C44BC32B79E5733D4B052EC202265AEE1FEE55E7F2AD1BAAA2E8F3',0);
INSERT INTO "events" VALUES(7,40,1770000000.25,'MoveMade','{"seat":0,"move":{"source":44,"target":48,"piece":""},"ply":9,"changes":[[44,null],[48,"yellow"]]}',X'765BE8C074EAC4BF26DB9F661A5346C020973BB7342D95C8E2E570536BC358F2',0);
INSERT INTO "events" VALUES(7,41,1770000000.25,'DiceRolled','{"seat":1,"number":16,"value":5}',X'D4C72B37918E6ECFDD3340841C78EC1E1E6A289CA7A4944D0F420BA6EA67B3EF',0);
INSERT INTO "events" VALUES(7,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'EF2254C84F8591195D5703685B34D906124363AFAF6C2ED4EC17F75C31898D80',0);
INSERT INTO "events" VALUES(7,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":72,"target":115,"piece":""},"ply":10,"changes":[[72,null],[115,"red"]]}',X'179F891ED95D595AF836A8EA536103627A5CB241CA40E846FDB3FFA861A2A2A5',0);
INSERT INTO "events" VALUES(7,44,1770000000.25,'DiceRolled','{"seat":0,"number":17,"value":5}',X'E6995AAC941C8B187CC69C9FBA4FE187A93DCEEC69FD110CDBD82BC5085DFB04',0);
INSERT INTO "events" VALUES(7,45,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'62E37CC7C5FC55B5A5C994F0318E1C747F1313BA961DED90151B0251303EC8F3',0);
INSERT INTO "events" VALUES(7,46,1770000000.25,'MoveMade','{"seat":0,"move":{"source":4,"target":39,"piece":""},"ply":11,"changes":[[4,null],[39,"yellow"]]}',X'1BF14658C30EBBEFFCBA9A6210DA46D2C732F1BFA8CA3F050D34066523F7A914',0);
INSERT INTO "events" VALUES(7,47,1770000000.25,'DiceRolled','{"seat":1,"number":18,"value":1}',X'10E8C2BB05BDC4C43E8352860EFDCB2187A38D935EC421194BB98F0D1C1452E6',0);
INSERT INTO "events" VALUES(7,48,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'71BA7D75B68DDAE48B87C74DE1B072347A535C80AF16CC0DDDE51233F3F72985',0);
INSERT INTO "events" VALUES(7,49,1770000000.25,'MoveMade','{"seat":1,"move":{"source":115,"target":114,"piece":""},"ply":12,"changes":[[114,"red"],[115,null]]}',X'EE84C9190946347034A4C9520AE3EB3B8F7BFE59FC76F5A63BA9281BE07E264B',0);
INSERT INTO "events" VALUES(7,50,1770000000.25,'DiceRolled','{"seat":0,"number":19,"value":4}',X'3266CE3E4C109DCB65E2E693CBF03FA406CA0F70CCF8CC31DB0527E893C6B3C4',0);
INSERT INTO "events" VALUES(7,51,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'DD1B5349D391F69B9CD7A92C20322CFC69389E70310BFF1750CFE2671BA49491',0);
INSERT INTO "events" VALUES(7,52,1770000000.25,'MoveMade','{"seat":0,"move":{"source":48,"target":4,"piece":""},"ply":13,"changes":[[4,"yellow"],[48,null]]}',X'7A42E6234E12F473CEDEC4105EB6D0D06FE5A756484B79C4A5D28E4AAB456671',0);
INSERT INTO "events" VALUES(7,53,1770000000.25,'DiceRolled','{"seat":1,"number":20,"value":4}',X'A2BE67D690576FC58589F6BE8907871845CBF104DC60840538F847856446D88D',0);
INSERT INTO "events" VALUES(7,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E117252117BCF49894B36CDD913DFCA2F43EC93107C06A798BD60145F12B37EF',0);
INSERT INTO "events" VALUES(7,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":114,"target":70,"piece":""},"ply":14,"changes":[[70,"red"],[114,null]]}',X'612F745DB2CCC815C75DCF75DE22BD4E8585C76A197B8DDBEF8AE7368784F387',0);
INSERT INTO "events" VALUES(7,56,1770000000.25,'DiceRolled','{"seat":0,"number":21,"value":5}',X'575671D9E7E96E7E53A06D2906BD002EDEAFF5981014CE0EAC89BC3F8C56A822',0);
INSERT INTO "events" VALUES(7,57,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B66F10E6D43DDC42ADA70C3827141CAE3CA5BFB03396897C9EFFCA55ED324E4E',0);
INSERT INTO "events" VALUES(7,58,1770000000.25,'MoveMade','{"seat":0,"move":{"source":39,"target":54,"piece":""},"ply":15,"changes":[[39,null],[54,"yellow"]]}',X'9C53B0ECC9E53CCC02AAAF83007069B16FC6ACD9EF0DF7FD4AB214F5E3C45680',0);
INSERT INTO "events" VALUES(7,59,1770000000.25,'DiceRolled','{"seat":1,"number":22,"value":4}',X'7348E71E1514B51DEB9288409FCF1EABB6CF63945EE0570F55AAEDB6B0216367',0);
INSERT INTO "events" VALUES(7,60,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'FA32C82AD6636BC9E3EB2D3441BFDA6435DFEEA25FD19B646D6608071B5066BB',0);
INSERT INTO "events" VALUES(7,61,1770000000.25,'MoveMade','{"seat":1,"move":{"source":70,"target":66,"piece":""},"ply":16,"changes":[[66,"red"],[70,null]]}',X'66CA2B71E55542215EE4C0E68836E92CE17BD3AC245B5D4B0746B2D66419B2FA',0);
INSERT INTO "events" VALUES(7,62,1770000000.25,'DiceRolled','{"seat":0,"number":23,"value":1}',X'07E146175EF6AB4FF99CEF7E4C7B5570A18CC16F010ED954022E11385FBF1166',0);
INSERT INTO "events" VALUES(7,63,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'59D5A8D0817A7DB1F93E5DACF35592C3A1005EB32B23190DD091152C0792E7A1',0);
INSERT INTO "events" VALUES(7,64,1770000000.25,'MoveMade','{"seat":0,"move":{"source":54,"target":65,"piece":""},"ply":17,"changes":[[54,null],[65,"yellow"]]}',X'73B22B27EB1B6DF5E2DD1D97551409F630F137D5DBD12F91DB65074E20744F1F',0);
INSERT INTO "events" VALUES(7,65,1770000000.25,'DiceRolled','{"seat":1,"number":24,"value":5}',X'70832064890B839042DE7074193BC066E7B13E3DFE1F9406878EA12D206A7DA9',0);
INSERT INTO "events" VALUES(7,66,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'193D65917DB2DF48F62F8A3960B391188575AD83F18DFB8822BDB6055DE7DCDD',0);
INSERT INTO "events" VALUES(7,67,1770000000.25,'MoveMade','{"seat":1,"move":{"source":66,"target":47,"piece":""},"ply":18,"changes":[[47,"red"],[66,null]]}',X'5B1477678176F7E8DD971B8F3782F779A5EF61CF4A5399DFE0866D05C393D2C5',0);
INSERT INTO "events" VALUES(7,68,1770000000.25,'DiceRolled','{"seat":0,"number":25,"value":4}',X'991B0BA5E8CF41A23C932548F1D0A2ED41246B774273B18C9449CD2EE1524676',0);
INSERT INTO "events" VALUES(7,69,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5ED708B63714B120695AD257EF227E162062CF6839C4F1A2B4345DDA4E557BF0',0);
INSERT INTO "events" VALUES(7,70,1770000000.25,'MoveMade','{"seat":0,"move":{"source":4,"target":28,"piece":""},"ply":19,"changes":[[4,null],[28,"yellow"]]}',X'32F44D3BA6396E1488811698817AA4F8A4FCBE1415783B7F14F3B3BB42CF6A42',0);
INSERT INTO "events" VALUES(7,71,1770000000.25,'DiceRolled','{"seat":1,"number":26,"value":3}',X'1ADF5AAFA6E9D09B380FB4A8AEA89BDD05073CF98D0AE2C4E6DF178A38723F7B',0);
INSERT INTO "events" VALUES(7,72,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'23C486E168D097BFFFCFBA2A3932F4E9D010117EDE41DAC451B5D45771C3762F',0);
INSERT INTO "events" VALUES(7,73,1770000000.25,'MoveMade','{"seat":1,"move":{"source":47,"target":26,"piece":""},"ply":20,"changes":[[26,"red"],[47,null]]}',X'D82EDC569F1F8FE6675A766EB7F8B1C294CB2C9F962955E49C3F1519A4FE2717',0);
INSERT INTO "events" VALUES(7,74,1770000000.25,'DiceRolled','{"seat":0,"number":27,"value":6}',X'AF127C282D4B054B996C150786459E73797E810D9E74FE5F9D9152E39716BEEB',0);
INSERT INTO "events" VALUES(7,75,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'AF2B5E3673EEA92169C34FDD4B4144BE1DBED3DB121E43090EC3C790DA098EA9',0);
INSERT INTO "events" VALUES(7,76,1770000000.25,'MoveMade','{"seat":0,"move":{"source":1,"target":44,"piece":""},"ply":21,"changes":[[1,null],[44,"yellow"]]}',X'5D5505A0913ABDC1C9175A0930A482B597AD80DEA8F06CBE6AC8C3E542239696',0);
INSERT INTO "events" VALUES(7,77,1770000000.25,'DiceRolled','{"seat":0,"number":28,"value":3}',X'91705EFA6105534F2775D226EBF93E37D9253BB623F52C07A922300DF10E96D4',0);
INSERT INTO "events" VALUES(7,78,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'F927194FA7A86C38DC8BDF00AD10768FE975FDF954722734CCA3C97EED9F3685',0);
INSERT INTO "events" VALUES(7,79,1770000000.25,'MoveMade','{"seat":0,"move":{"source":44,"target":47,"piece":""},"ply":22,"changes":[[44,null],[47,"yellow"]]}',X'EECD476B6381D0DEF81463091F6EF87FDE2C9E829A4719A864D5BEC6E6B27DAA',0);
INSERT INTO "events" VALUES(7,80,1770000000.25,'DiceRolled','{"seat":1,"number":29,"value":3}',X'C2387F442F9DBA8F8BE541A95A80C7AC687EC17A6BCA46754929F23DE892146F',0);
INSERT INTO "events" VALUES(7,81,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'302A4917B16B9E7B85A67BB23816123525E81F59C559BA2ED05A8955C98C3371',0);
INSERT INTO "events" VALUES(7,82,1770000000.25,'MoveMade','{"seat":1,"move":{"source":26,"target":5,"piece":""},"ply":23,"changes":[[5,"red"],[26,null]]}',X'C18A6B7C7E8574078960EEECE1A842F73AB283EFB6CD14B28C62A3FCB409C235',0);
INSERT INTO "events" VALUES(7,83,1770000000.25,'DiceRolled','{"seat":0,"number":30,"value":6}',X'A05D974124DCFE7064E25CEAFCB0BE8842A19B3195AC6389077412DDFD06E7E4',0);
INSERT INTO "events" VALUES(7,84,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5924980BB07045965CB3DD2A81B484A751892364E1B012C14696AF6FF11B7404',0);
INSERT INTO "events" VALUES(7,85,1770000000.25,'MoveMade','{"seat":0,"move":{"source":0,"target":44,"piece":""},"ply":24,"changes":[[0,null],[44,"yellow"]]}',X'DDADF401DEEA8FB772D72F136312F9D85EC84B14D68042AC466A7B62B3D8BB03',0);
INSERT INTO "events" VALUES(7,86,1770000000.25,'DiceRolled','{"seat":0,"number":31,"value":5}',X'A3F0D1A666385C589E030AA23FC841D9056735BFDE9E240930A0F48B49A2D5D4',0);
INSERT INTO "events" VALUES(7,87,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5F107113DDA873B880BBB40E09B94DABB2680097158D652B3790757291B7F304',0);
INSERT INTO "events" VALUES(7,88,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":"eec1775029453e3e4071274bf76d498751c2f2be3e64af79928e5664f2026db3"}',X'CBB7C0510636C7A39AB89108EA5D30D4DB037374C3C48F68B3B1F923F4D4D1F9',0);
INSERT INTO "events" VALUES(8,1,1770000000.25,'TableOpened','{"settings":{"game":"open","variant":"any","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'A21F62452BF075596B7AC66DB55E2B827B8594C0DE75859711AA36F86078180C',0);
INSERT INTO "events" VALUES(8,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'6DC93813100E4DDDF14C47750C2EFD38521C2EE10ACCA27ACA1A6F719FDB57E2',0);
INSERT INTO "events" VALUES(8,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'E82997E692F38A1042BDE6C7A9D30787EB918A399403378E387AD6CAEB7E38F2',0);
INSERT INTO "events" VALUES(8,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'121A01854E8F0B32F209CACC63C64FE2460D2453BD22D99632A139AFF9F84A06',0);
INSERT INTO "events" VALUES(8,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'E280E3D8481B2CDC3FE6624A4A09F1896A224940C89581EF043DDFB5B727B332',0);
INSERT INTO "events" VALUES(8,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"open","variant":"any","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'8D3701C13CD80E1AE98C48087912258DC08587B42BE4A5BBBB75F0CE902ED49F',0);
INSERT INTO "events" VALUES(8,7,1770000000.25,'GameStarted','{"settings":{"game":"open","variant":"any","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[],"position":"......../......../......../......../......../......../......../........ 0","commitment":""}',X'C01DDA3A9177AC3827C2FB9697C7485AC5A2BA20C2F40F5F70D3F623F1068BC0',0);
INSERT INTO "events" VALUES(8,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5E504E589A4CB47BB920D9F094C5A49DFCACFC11F9C220DDF257F21CCF762D71',0);
INSERT INTO "events" VALUES(8,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":1,"changes":[]}',X'935D734FFC8C5F51C869FDEA723CC25F29B83E35D5ED24C5133DE64C2FE47956',0);
INSERT INTO "events" VALUES(8,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'BA8D18551F6E552BDB89C2C54489A1CE4EC9B348893720B38A9C26A99A2B709E',0);
INSERT INTO "events" VALUES(8,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"O-O"},"ply":2,"changes":[]}',X'57A8911451FD849CFB032DB1DC70E77CC6D533B00A04C3872B308D167DB26AFA',0);
INSERT INTO "events" VALUES(8,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'646DED8068E0A333D90810F2B5AD658D3525314AFF35DA9DF83F075C29D5E730',0);
INSERT INTO "events" VALUES(8,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":3,"changes":[]}',X'DF4D06B91E3B3669B239762BE76DAE1287AE5767DB25FD12B4880B8527EB07B6',0);
INSERT INTO "events" VALUES(8,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'8FDB7A2F85C214AAE398075A2736E0A42553254AE5AF31407E1365085DCBF825',0);
INSERT INTO "events" VALUES(8,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":4,"changes":[]}',X'B45C6B540AB155B05B11EB5F8D267E6288509BAC0916D77064F9808E7C7DF1B4',0);
INSERT INTO "events" VALUES(8,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'59129EEA5BC1F0C8A8F56A6C1EFA24BB13E8108EEB64F5914364F9E0A7E9E23D',0);
INSERT INTO "events" VALUES(8,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":5,"changes":[]}',X'A293149B370DB0CE329A97AA65C4E91D4C9F7E8B365DDAA0B7DBB9DB5EB63DE9',0);
INSERT INTO "events" VALUES(8,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'8F3C14E397C500080B2B117DE98E1BCB980580B7C0D321CD3546B45B97944ED8',0);
INSERT INTO "events" VALUES(8,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":""},"ply":6,"changes":[]}',X'0D1A8A65701B477FBA1395881C1F7231E0760863AD89AB2A6408BFBA7C289B22',0);
INSERT INTO "events" VALUES(8,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'D24FDDBE934EC6B8A60D0FC093B6E3FCAF0B82F5802A29CA3A0528906E498502',0);
INSERT INTO "events" VALUES(8,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":""},"ply":7,"changes":[]}',X'3A70413BBB4C055F937AE23EF0EF4AD0C0604A69139FA29044BEA8202466FEC4',0);
INSERT INTO "events" VALUES(8,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6DF2FF65C8464731B31B275F42DF0E839B177CF9558D6F88ED894D8DBFA57E36',0);
INSERT INTO "events" VALUES(8,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":8,"changes":[]}',X'D85C7C76CA0C4EE2DAF99825914B2BE1E2D140AD4C1EEF535556819D2424E558',0);
INSERT INTO "events" VALUES(8,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'68EAC3DA3ECF235FBE4D60482F11B97D1E3945544C590C286A5167CCD5973E45',0);
INSERT INTO "events" VALUES(8,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":9,"changes":[]}',X'AB3D6597F3763711E746391762EF7A16E236A8B0F6F689F11726D9404B7CCEFE',0);
INSERT INTO "events" VALUES(8,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'A237C1850B8DB4528CFA7F1C4D00123F648FEBD24C4001D547D24B67755212AD',0);
INSERT INTO "events" VALUES(8,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":10,"changes":[]}',X'36210720677772A983B483875F484B4AEE0E86015D1FCB8BD511A47863765AB9',0);
INSERT INTO "events" VALUES(8,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'1F3ED2F1CFE401A9D8C853146C789C2625F6EEBCC336B0D01D84E1FDE97030CF',0);
INSERT INTO "events" VALUES(8,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":11,"changes":[]}',X'2ACD1D8DD78BC1DC6303D55B5E4309F1BFBDCEB47AD449B6383D8D5525BCB5E3',0);
INSERT INTO "events" VALUES(8,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6DDA11852F1D80166DCC2795D4F85B6127117D492E5FC3F6F561A760D8BD6A67',0);
INSERT INTO "events" VALUES(8,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":""},"ply":12,"changes":[]}',X'8CA5A555126F8885EBFD956D71561929FACB99AC49791FB1136177B1DC749702',0);
INSERT INTO "events" VALUES(8,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'21EA70EE23DDE50EF90B2592FE358DC64CCCC10353961BA43EDDC3D3CA017211',0);
INSERT INTO "events" VALUES(8,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":13,"changes":[]}',X'C7B0450D2649F4788796E4DF56882FC0D4262DF36CAD4847261144F60305F5FB',0);
INSERT INTO "events" VALUES(8,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'66303F47F3B51364AC0C8B6E8B4B9A813338DD51BCE8A9325EC69F85A6B236F0',0);
INSERT INTO "events" VALUES(8,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":14,"changes":[]}',X'007194C73B4B3BCDD1452062ACC2FFB5D700BC86A0247DD66481740AA754867B',0);
INSERT INTO "events" VALUES(8,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'9DFCBBD06A6CD3783764872AD46B5925EE3283835E0FE2189508BA98F8752BCA',0);
INSERT INTO "events" VALUES(8,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":15,"changes":[]}',X'A964F6AF207131B767D3D176D46F84E3163FC7CAA62D3BAA0D3E4933FF3F3C05',0);
INSERT INTO "events" VALUES(8,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'34A465A05F45B5C1BBA781ED2D3C7196F47ACC6CE19DE0732153C35781CCBBC9',0);
INSERT INTO "events" VALUES(8,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":16,"changes":[]}',X'5560C7D820E977516E5EE177A14E54B72E8C3F76985BBD149AFC6F5038F222CD',0);
INSERT INTO "events" VALUES(8,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'4C851464F34358AC1C62AE0674D4B01A037BE882546C438A4F6189AD5C6B63C4',0);
INSERT INTO "events" VALUES(8,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":17,"changes":[]}',X'A243833DE0B2CD8A0C44102056D3B751A003AFD29E6256D5C07ADDA69579F7B0',0);
INSERT INTO "events" VALUES(8,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'4B670F4CDD92C368807D914110C351DA8EB4A0A0F8F58AAF6E590FD4E2E476AB',0);
INSERT INTO "events" VALUES(8,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":18,"changes":[]}',X'6FBA5D2679EE98F691A34402733E01DAFF44C99D03D1B44C6866063FC6103552',0);
INSERT INTO "events" VALUES(8,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'7FB4CD8C8C75223DEA31634C84BB3464F9D29979FBCF1C1779ADBEEDA81CD2DE',0);
INSERT INTO "events" VALUES(8,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":19,"changes":[]}',X'F9E316F3B32A276A968199B1284A94A14020F77985DD6FCCD593850EED1EE0AF',0);
INSERT INTO "events" VALUES(8,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'913603534C525295378CFD2FB5542343E51E50EC59A3DB9A1928DC5A1D9798C0',0);
INSERT INTO "events" VALUES(8,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":""},"ply":20,"changes":[]}',X'20DF140CE7F7AE990BD3FE0F9C2888465C78EF0B6CF1F71F96B83088CD97B3BA',0);
INSERT INTO "events" VALUES(8,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B61EB3A527A89723225C4A9EC7DF965AD09EFD43590F775D7AE40D719DCDA3CC',0);
INSERT INTO "events" VALUES(8,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":"P@f7"},"ply":21,"changes":[]}',X'6F6496809EA436FCEA8CCD3317E61672968420A941D7D05B9DA80CDA01CB5D30',0);
INSERT INTO "events" VALUES(8,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'472123F59124451588873C2059FB7EF4008BF79B2FC085D626003163CD87BDBD',0);
INSERT INTO "events" VALUES(8,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"e2e4"},"ply":22,"changes":[]}',X'CD6CED458F331A3989DE119747232E21B73D6BBF93BD763D6B1E4382DE4FFD78',0);
INSERT INTO "events" VALUES(8,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'5F89AC84E76192B4BF90042FE7B3CC6C5CA8107790AE0CB16EF9BE746005A6B0',0);
INSERT INTO "events" VALUES(8,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":null,"piece":""},"ply":23,"changes":[]}',X'8107B7C8A0CFEFDDE2077BF382FD2D1467C054B0E6F53A052F2EEEFDB1003EB9',0);
INSERT INTO "events" VALUES(8,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'3749E5918EB130B60B7020EA5E336319B69435CEBEBA73DE021310334C57253F',0);
INSERT INTO "events" VALUES(8,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":null,"piece":"O-O"},"ply":24,"changes":[]}',X'CFD8A9E926C9E8A1AD937B7DC311A98269D3D9CEFD9A0A79D15415D2ACD9A119',0);
INSERT INTO "events" VALUES(8,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'7A6CFDA82F97A9656650C0023F0D31FE5AB3E420456948640A5E08F7E5D97B31',0);
INSERT INTO "events" VALUES(8,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'611DB933277B46D1FD3E2F0D1FDC3A5E2469FAF23FEA31BA302D7CCFABACDB40',0);
INSERT INTO "events" VALUES(9,1,1770000000.25,'TableOpened','{"settings":{"game":"reversi","variant":"standard","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'F193A6878D3DB016E5C9EFCB31767C4E989A28C17585EC28D203A0F25660805E',0);
INSERT INTO "events" VALUES(9,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'FF777C99CED2CA3767A37F24BA90A68FD19B9193C0DC648EE45ED2FA373BCBC4',0);
INSERT INTO "events" VALUES(9,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'47662A63B8A590AFC11C07585E9F8E73DC21F6F3FDC6877892A27AA51F46F1F6',0);
INSERT INTO "events" VALUES(9,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'4C4392FFB236FDA3B747799E61836F6720B898CDAD52392D743916FEB4A735FB',0);
INSERT INTO "events" VALUES(9,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'0917615B23AD13C06E8B8B014842265BD6B3681A5703F16DBEA97DC1582FA2B5',0);
INSERT INTO "events" VALUES(9,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"reversi","variant":"standard","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'ED91D8AF6B3F11DD6AED3D21130D4E74C0FD1C61675EE4AB1A93C5D279676AF0',0);
INSERT INTO "events" VALUES(9,7,1770000000.25,'GameStarted','{"settings":{"game":"reversi","variant":"standard","width":8,"height":8,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[[27,"white"],[28,"black"],[35,"black"],[36,"white"]],"position":"......../......../......../...wb.../...bw.../......../......../........ 0","commitment":""}',X'1A8E73BE862136ABEEEA486313A730F5936497E1B238BDEA7E5C66EFA95E4B79',0);
INSERT INTO "events" VALUES(9,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'1374F6CF6F0262C122DB67F3B5DC06AEB896B4E1DEF75A17C1ED726062230E8F',0);
INSERT INTO "events" VALUES(9,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":44,"piece":"black"},"ply":1,"changes":[[36,"black"],[44,"black"]]}',X'A8DD4038DC471A9DF2F87FD604D4650D51A7AE035EA50222C0EBC9C7459461B8',0);
INSERT INTO "events" VALUES(9,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'E53FFC5261A4C9256CD24817B6BD78613B7FF8A7D082EAC6F0F08BECCFFB0ED4',0);
INSERT INTO "events" VALUES(9,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":45,"piece":"white"},"ply":2,"changes":[[36,"white"],[45,"white"]]}',X'03433F5FB8937239D7290F0B85478562797C20C270ADB8D43C2BF92DE7672B76',0);
INSERT INTO "events" VALUES(9,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B1D572DD63F452B08D66DC1D4AAD9DB927040407F1EC8C26FFFBEFD4F1C16445',0);
INSERT INTO "events" VALUES(9,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":37,"piece":"black"},"ply":3,"changes":[[36,"black"],[37,"black"]]}',X'788541F084F29FA3E1122A2456153822528E111D0188DC3F15E83E48377B3759',0);
INSERT INTO "events" VALUES(9,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'18D44F16747435E0468BEBD61792C66187EB861F8A8FA26E9C598BE05966525F',0);
INSERT INTO "events" VALUES(9,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":43,"piece":"white"},"ply":4,"changes":[[35,"white"],[43,"white"],[44,"white"]]}',X'E19911C888243C4FC19441AE8EEC9BA508CE7A3C0865B485E4D0C5CFFC43CFDC',0);
INSERT INTO "events" VALUES(9,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'64AF0D95E435C327B7C29D17A4FCA1DB08A590EB48C0A5066959367B0535618B',0);
INSERT INTO "events" VALUES(9,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":34,"piece":"black"},"ply":5,"changes":[[34,"black"],[35,"black"]]}',X'3B9E778B3C390D209B4B113C90C7A9823DCB8BB43CCF103A620C36256C92A4C3',0);
INSERT INTO "events" VALUES(9,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'115CD8BC35D249D5CD3BD7374D0770F9E172CDB515CE4A3FE366960FCB9229C9',0);
INSERT INTO "events" VALUES(9,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":25,"piece":"white"},"ply":6,"changes":[[25,"white"],[34,"white"]]}',X'AC27D083ECC4BE41E361361600F0D5D5BFE5310BC59E93AAE2362901417DECF6',0);
INSERT INTO "events" VALUES(9,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'F91135F4C329B1199F16EA3AF4A84B162D126C06C860699F819B25B355BDCB7A',0);
INSERT INTO "events" VALUES(9,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":18,"piece":"black"},"ply":7,"changes":[[18,"black"],[27,"black"]]}',X'757B434357978ECB4F99A2267DF35E0D9FF0E998AD6D6762B168DFA91F89B9F7',0);
INSERT INTO "events" VALUES(9,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'45AA797D2F8C2B88999E848CB952C84E1E42393BF1CD0225611EDAC9198003FE',0);
INSERT INTO "events" VALUES(9,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":29,"piece":"white"},"ply":8,"changes":[[29,"white"],[36,"white"],[37,"white"]]}',X'260245B376CE54367C96AB2D61AAE2C5DF2B86BDC4602F814BA6419A89D4085D',0);
INSERT INTO "events" VALUES(9,24,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'3D118686A36242616C79B1664CF64D0C922DD2ED88B1CDDB3A50D40B7D40CB28',0);
INSERT INTO "events" VALUES(9,25,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":53,"piece":"black"},"ply":9,"changes":[[44,"black"],[53,"black"]]}',X'30C3BEF122E554406E074C9DCB441C56CBD2867004987080E5C1460FE100C4F1',0);
INSERT INTO "events" VALUES(9,26,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'949EBD6477F70B3A7FB071A208E331A8824C24B60CB10703A34AD974DFF4F1E7',0);
INSERT INTO "events" VALUES(9,27,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":61,"piece":"white"},"ply":10,"changes":[[53,"white"],[61,"white"]]}',X'1E3BC0426AC5F2ECF57B435B17C3932DDEC9938D65AEF351E39CDD61AD51040B',0);
INSERT INTO "events" VALUES(9,28,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'2B90B2694AA04E91F5A0353817BDE14FAF8E2D75C8A0AEBC4662910E0170A4AC',0);
INSERT INTO "events" VALUES(9,29,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":62,"piece":"black"},"ply":11,"changes":[[53,"black"],[62,"black"]]}',X'C7ABDC349EADFD3FF2E90E56B081987FF7FCAB49DC0182D891DEFADBEC8EDB66',0);
INSERT INTO "events" VALUES(9,30,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0CE1FA2F68DF5E2BC5F98CDEE3033D978618949B3E9A4357943F77D5A3F82B99',0);
INSERT INTO "events" VALUES(9,31,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":11,"piece":"white"},"ply":12,"changes":[[11,"white"],[18,"white"]]}',X'5ECB1F59B1E41730DFD3B789706CC2D02F45A9E3C40B0DE6C8FB80EE54E5A134',0);
INSERT INTO "events" VALUES(9,32,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'762A16F728A69D51A5F25C568C1BCB71B76C634768BB76757993DFFC8B908D7E',0);
INSERT INTO "events" VALUES(9,33,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":41,"piece":"black"},"ply":13,"changes":[[34,"black"],[41,"black"]]}',X'174ABD180B2DA273701A2991F6134A0344552FAADCF02094D4BB44DB379862C4',0);
INSERT INTO "events" VALUES(9,34,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0195537827ABFCAF558E856BBEEB0FF7C1C81D4AB38D5EA4011A23D9ECEDCEC3',0);
INSERT INTO "events" VALUES(9,35,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":51,"piece":"white"},"ply":14,"changes":[[44,"white"],[51,"white"]]}',X'01ADB1B86F5BD7149BD392318FDA5BC37EE802AE707B553DEE8A7354DC95D94B',0);
INSERT INTO "events" VALUES(9,36,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'0E3F69CC3D9F17A28FBA5D7868B14588288B3AEB22758D952C9A9DD35AFA8E71',0);
INSERT INTO "events" VALUES(9,37,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":60,"piece":"black"},"ply":15,"changes":[[60,"black"],[61,"black"]]}',X'269AA960FFAFCBD400EE6A736638F1F50F8029C8976C0A109A1B32D7CAAEDEA8',0);
INSERT INTO "events" VALUES(9,38,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'0606CA1559CA0668BD38D674A8C0FA1807261C26C9B258D85297DC0013C0BE29',0);
INSERT INTO "events" VALUES(9,39,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":19,"piece":"white"},"ply":16,"changes":[[19,"white"],[27,"white"],[28,"white"],[35,"white"]]}',X'9875DB94FD89C6EE01D7C1BD22A43B3D0C50712ED60A37ED521DFC67159A2ADE',0);
INSERT INTO "events" VALUES(9,40,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C4372E4870C42AD3CC95535A555BF9EB80020C3D0CFE17D49CE7BDD04CD0413B',0);
INSERT INTO "events" VALUES(9,41,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":42,"piece":"black"},"ply":17,"changes":[[42,"black"],[51,"black"]]}',X'82D9BDBD2080F2704E204268D2AECCAF8F5428EADC36EF4ADB6CD2E373650D22',0);
INSERT INTO "events" VALUES(9,42,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'F72CF63ED7E6425CCF0C1375C4ECC3C83A47AFF1FD9D3F9BE66E9A9D5DCE501A',0);
INSERT INTO "events" VALUES(9,43,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":49,"piece":"white"},"ply":18,"changes":[[42,"white"],[49,"white"]]}',X'9790170319DFEC40A742122E841FC47953FC647F08FF7ACACE2E363E3BC54C7A',0);
INSERT INTO "events" VALUES(9,44,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'C9D96FFAA274565BB33E72A95359FD54BBE1D3B1C18AD9F3CAF837B56114353C',0);
INSERT INTO "events" VALUES(9,45,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":20,"piece":"black"},"ply":19,"changes":[[20,"black"],[27,"black"]]}',X'094EE7D7D4E2937413151FDB3B5AF3D3B4ECC5617A2C2121705A6F738FB79E13',0);
INSERT INTO "events" VALUES(9,46,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'11EE0F4EF149C7EACBFCD91F28623AB06A88516CE119A3347756A4D9A2E30199',0);
INSERT INTO "events" VALUES(9,47,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":58,"piece":"white"},"ply":20,"changes":[[51,"white"],[58,"white"]]}',X'5CAA71B6AC7A8F6F1840DC340762DB672E7F32963F154F14F63A0496F47BF5A7',0);
INSERT INTO "events" VALUES(9,48,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'131E8E94567F2D9F5E9C5B8EEADE0F9D919CDDBAC1CB56CEDA17D117AA73D9CA',0);
INSERT INTO "events" VALUES(9,49,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":57,"piece":"black"},"ply":21,"changes":[[49,"black"],[57,"black"]]}',X'675A95DC746559C3BD46EEEE2AD76DFF9B7D358B467CD1C89D4AFB22B3AD89E2',0);
INSERT INTO "events" VALUES(9,50,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'7D0E5DB1AD1AC7459B87888C3AC0D14F7CB57943FC711B9C41A718C0CD103CAF',0);
INSERT INTO "events" VALUES(9,51,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":56,"piece":"white"},"ply":22,"changes":[[49,"white"],[56,"white"],[57,"white"]]}',X'D1FD5423EDC89EF994890F2F1838B6839ACD6FB66D57E24EF9EDA91AF0006CA3',0);
INSERT INTO "events" VALUES(9,52,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'6F9C91E2859A7F1C2F25A8C0C98F6DD17A1F0AC593EF1A90006BDCF339805356',0);
INSERT INTO "events" VALUES(9,53,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":26,"piece":"black"},"ply":23,"changes":[[26,"black"],[35,"black"],[44,"black"]]}',X'D613DEB3F4AE42F2E44D6CDFA99110019FC0CE5EA338D34236ABCC2E0F0BB468',0);
INSERT INTO "events" VALUES(9,54,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'6EB2188B0FE300FE94A86C4D4E1C3545BE2B2948AE0C54E73B1ED32FD0818375',0);
INSERT INTO "events" VALUES(9,55,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":21,"piece":"white"},"ply":24,"changes":[[20,"white"],[21,"white"]]}',X'1A5A6BBAA707891D0EA0C4E29F484C978325A9A4EDFFF5571F67A9C6477C4512',0);
INSERT INTO "events" VALUES(9,56,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'1E7545F5F83BDCEBDC8ABA5FAD2889DAD5158968B5F84DBAE786A9FF727089C9',0);
INSERT INTO "events" VALUES(9,57,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"resignation","detail":""},"secret":""}',X'ABAAC63573061A01FE58A7315155D553D271992E8E057DFB1E624E9A1788166E',0);
INSERT INTO "events" VALUES(10,1,1770000000.25,'TableOpened','{"settings":{"game":"tic_tac_toe","variant":"standard","width":3,"height":3,"seats":2,"time":null,"start":"","rated":false,"options":[]},"house":{"grace_s":60.0,"bot_after_s":null,"abandoned":"loss","adjourned_s":604800.0,"private":false,"waits_s":0.0,"bot_level":0,"bot":"","deserted":"adjourn","watched":false,"observers_speak":false}}',X'4067C6B08B57C43373BB6911402C84927CFCA82D5FA3C208A499187723FCA91A',0);
INSERT INTO "events" VALUES(10,2,1770000000.25,'SeatTaken','{"seat":0,"kind":3,"name":"Alice","at":1.0}',X'80D9EFBE1720AE6A656471B1A62A102D954D338137B76B18CEBF70F115375B68',0);
INSERT INTO "events" VALUES(10,3,1770000000.25,'Proposed','{"seat":0,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'2FED1558740B9160F6F311A83CF7F0E01E21B00A020CD154815CBA52B35BF283',0);
INSERT INTO "events" VALUES(10,4,1770000000.25,'SeatTaken','{"seat":1,"kind":3,"name":"Bob","at":1.0}',X'B4D88C248A9BB2A81F80DD688B1D49357B956EC540C3D826F5171E829DBF76FB',0);
INSERT INTO "events" VALUES(10,5,1770000000.25,'Proposed','{"seat":1,"proposal":["Start",{"settings":null,"side":null,"confirms":false}]}',X'6E155CCF0DE5CCFDC31B7E0F6370743F6F8AB3560959BA5A9F279FF21F1A6D55',0);
INSERT INTO "events" VALUES(10,6,1770000000.25,'Agreed','{"proposal":["Start",{"settings":{"game":"tic_tac_toe","variant":"standard","width":3,"height":3,"seats":2,"time":null,"start":"","rated":false,"options":[]},"side":null,"confirms":false}]}',X'51F77A41B8663F750E7B6A727607F5DDDE3636728CA02D44A2A138D39C82F2A8',0);
INSERT INTO "events" VALUES(10,7,1770000000.25,'GameStarted','{"settings":{"game":"tic_tac_toe","variant":"standard","width":3,"height":3,"seats":2,"time":null,"start":"","rated":false,"options":[]},"number":1,"board":[],"position":".../.../... 0","commitment":""}',X'083C195B9DF97DD0F5FE0A474F8DFEA839CD4D05A3DD99EB7307B7DFA11F6C3E',0);
INSERT INTO "events" VALUES(10,8,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'329A60A0D615F31BB5BBF3F310637E208E0D31D6A124BF462E85FBE1D31589CA',0);
INSERT INTO "events" VALUES(10,9,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":0,"piece":"x"},"ply":1,"changes":[[0,"x"]]}',X'7182E7DA5DD62F5501766EC76D54E77B399241FAC5AA679A84C4E7F60CFE4EC5',0);
INSERT INTO "events" VALUES(10,10,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'26E94F2F01222C2D432570604F035F6F30A06052A090282E18002BF48AE670A8',0);
INSERT INTO "events" VALUES(10,11,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":7,"piece":"o"},"ply":2,"changes":[[7,"o"]]}',X'AEBC46896146E63173991215331E81F02758782B281C97F96C9D102D89F7B21D',0);
INSERT INTO "events" VALUES(10,12,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'F746262E1F4A13D8190D4250C0D339632B101499D854DE23F946C3DCE011A5EB',0);
INSERT INTO "events" VALUES(10,13,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":4,"piece":"x"},"ply":3,"changes":[[4,"x"]]}',X'79213931CA2028734D5741A7F382DD73E823D1FB5B7B33E2418F0F81056A1AB1',0);
INSERT INTO "events" VALUES(10,14,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'35E6500DE548630C0B72ED8C5A68388A6F344AE395527E2D943E250888F7C019',0);
INSERT INTO "events" VALUES(10,15,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":6,"piece":"o"},"ply":4,"changes":[[6,"o"]]}',X'FE3241C1FAC32042904D8DF221AE410405E8D5FE25B7C622FDB27E561B07BA06',0);
INSERT INTO "events" VALUES(10,16,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B07A1403DA1288600D907F1BAC2C5A11D71E65B0E2690D5674698D0EBFC5DC0B',0);
INSERT INTO "events" VALUES(10,17,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":1,"piece":"x"},"ply":5,"changes":[[1,"x"]]}',X'2A74E82AC7E3FB28301FB0DD5424DD5560A60D1605C58BEDBFBCF5582710BEAD',0);
INSERT INTO "events" VALUES(10,18,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'99394186A20731E1C2258D1F1701144A1F90A2881B9AB51F8C0748724A6CEE90',0);
INSERT INTO "events" VALUES(10,19,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":3,"piece":"o"},"ply":6,"changes":[[3,"o"]]}',X'C1E4AE4CDEE09CA3EADD8755ACD3A7E6E4D218DFD7BAA2E33BCA97418D35373E',0);
INSERT INTO "events" VALUES(10,20,1770000000.25,'TurnStarted','{"seat":0,"clock":null}',X'B3AF54885ECF5E5B0A77B5DEE7BEBA652E20BF418FFF108C01157D2FEAD10474',0);
INSERT INTO "events" VALUES(10,21,1770000000.25,'MoveMade','{"seat":0,"move":{"source":null,"target":5,"piece":"x"},"ply":7,"changes":[[5,"x"]]}',X'F637B26EF7702EBC7482B642457572B7C89BCE8A60260FDBE554EE55797517A4',0);
INSERT INTO "events" VALUES(10,22,1770000000.25,'TurnStarted','{"seat":1,"clock":null}',X'969EBEDB2DF4C93920DFB0D7DB2C0909EE33CCFA1479D6C634CBDD5BED9657BE',0);
INSERT INTO "events" VALUES(10,23,1770000000.25,'MoveMade','{"seat":1,"move":{"source":null,"target":8,"piece":"o"},"ply":8,"changes":[[8,"o"]]}',X'B63CF677F6F604D6D7EA45EBDC9DAF18302F18B1F56F3ADFDD3566CA23909A89',0);
INSERT INTO "events" VALUES(10,24,1770000000.25,'GameEnded','{"outcome":{"winner":1,"reason":"rules","detail":"three in a row"},"secret":""}',X'5C73BFDC92E63A50B5213C82D2B1BD03E2624AB3AB652578C278696B8ED1121F',0);
CREATE TABLE follows (
	folded VARCHAR NOT NULL, 
	other VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	CONSTRAINT pk_follows PRIMARY KEY (folded, other)
);
CREATE TABLE former_names (
	folded VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	deleted_at DOUBLE NOT NULL, 
	CONSTRAINT pk_former_names PRIMARY KEY (folded)
);
CREATE TABLE guest_seats (
	table_id INTEGER NOT NULL, 
	digest BLOB NOT NULL, 
	folded VARCHAR NOT NULL, 
	kept_at DOUBLE NOT NULL, 
	CONSTRAINT pk_guest_seats PRIMARY KEY (table_id, digest)
);
CREATE TABLE identities (
	issuer VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	folded VARCHAR NOT NULL, 
	linked_at DOUBLE NOT NULL, 
	CONSTRAINT pk_identities PRIMARY KEY (issuer, subject)
);
CREATE TABLE invitations (
	digest BLOB NOT NULL, 
	made_by VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	expires_at DOUBLE NOT NULL, 
	CONSTRAINT pk_invitations PRIMARY KEY (digest)
);
CREATE TABLE lasting_offers (
	number INTEGER NOT NULL, 
	folded VARCHAR NOT NULL, 
	other VARCHAR NOT NULL, 
	node INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_lasting_offers PRIMARY KEY (number)
);
CREATE TABLE mail_addresses (
	folded VARCHAR NOT NULL, 
	address VARCHAR, 
	wanted VARCHAR, 
	wanted_until DOUBLE, 
	code BLOB, 
	told BOOLEAN NOT NULL, 
	off BLOB NOT NULL, 
	CONSTRAINT pk_mail_addresses PRIMARY KEY (folded)
);
CREATE TABLE mail_deliveries (
	folded VARCHAR NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	table_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	made_at DOUBLE NOT NULL, 
	tries INTEGER NOT NULL, 
	due_at DOUBLE NOT NULL, 
	until DOUBLE NOT NULL, 
	CONSTRAINT pk_mail_deliveries PRIMARY KEY (folded, kind, table_id, seat)
);
CREATE TABLE nodes (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	started_at DOUBLE NOT NULL, 
	since DOUBLE NOT NULL, 
	until DOUBLE NOT NULL, 
	buried BOOLEAN NOT NULL, 
	draining BOOLEAN NOT NULL, 
	tables INTEGER NOT NULL, 
	CONSTRAINT pk_nodes PRIMARY KEY (id)
);
CREATE TABLE notices (
	table_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(6) NOT NULL, 
	at DOUBLE NOT NULL, 
	told_at DOUBLE, 
	seen_at DOUBLE, 
	CONSTRAINT pk_notices PRIMARY KEY (table_id, seat, seq)
);
CREATE TABLE password_links (
	digest BLOB NOT NULL, 
	folded VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	expires_at DOUBLE NOT NULL, 
	CONSTRAINT pk_password_links PRIMARY KEY (digest)
);
CREATE TABLE players (
	folded VARCHAR NOT NULL, 
	table_id INTEGER NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (folded, table_id), 
	CONSTRAINT fk_players_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "players" VALUES('alice',1);
INSERT INTO "players" VALUES('bob',1);
INSERT INTO "players" VALUES('alice',2);
INSERT INTO "players" VALUES('bob',2);
INSERT INTO "players" VALUES('alice',3);
INSERT INTO "players" VALUES('bob',3);
INSERT INTO "players" VALUES('alice',4);
INSERT INTO "players" VALUES('bob',4);
INSERT INTO "players" VALUES('alice',5);
INSERT INTO "players" VALUES('bob',5);
INSERT INTO "players" VALUES('alice',6);
INSERT INTO "players" VALUES('bob',6);
INSERT INTO "players" VALUES('alice',7);
INSERT INTO "players" VALUES('bob',7);
INSERT INTO "players" VALUES('alice',8);
INSERT INTO "players" VALUES('bob',8);
INSERT INTO "players" VALUES('alice',9);
INSERT INTO "players" VALUES('bob',9);
INSERT INTO "players" VALUES('alice',10);
INSERT INTO "players" VALUES('bob',10);
CREATE TABLE preferences (
	folded VARCHAR NOT NULL, 
	chosen TEXT NOT NULL, 
	CONSTRAINT pk_preferences PRIMARY KEY (folded), 
	CONSTRAINT fk_preferences_folded FOREIGN KEY(folded) REFERENCES accounts (folded)
);
CREATE TABLE push_deliveries (
	subscription BLOB NOT NULL, 
	table_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	tries INTEGER NOT NULL, 
	due_at DOUBLE NOT NULL, 
	until DOUBLE NOT NULL, 
	CONSTRAINT pk_push_deliveries PRIMARY KEY (subscription, table_id, seat)
);
CREATE TABLE push_keys (
	id INTEGER NOT NULL, 
	secret BLOB NOT NULL, 
	CONSTRAINT pk_push_keys PRIMARY KEY (id)
);
CREATE TABLE push_subscriptions (
	digest BLOB NOT NULL, 
	endpoint VARCHAR NOT NULL, 
	"key" BLOB NOT NULL, 
	auth BLOB NOT NULL, 
	folded VARCHAR, 
	session BLOB, 
	created_at DOUBLE NOT NULL, 
	CONSTRAINT pk_push_subscriptions PRIMARY KEY (digest)
);
CREATE TABLE push_tickets (
	subscription BLOB NOT NULL, 
	ticket BLOB NOT NULL, 
	CONSTRAINT pk_push_tickets PRIMARY KEY (subscription, ticket)
);
CREATE TABLE rating_pins (
	pool VARCHAR NOT NULL, 
	engine VARCHAR NOT NULL, 
	rating DOUBLE NOT NULL, 
	CONSTRAINT pk_rating_pins PRIMARY KEY (pool, engine)
);
CREATE TABLE rating_standings (
	version INTEGER NOT NULL, 
	pool VARCHAR NOT NULL, 
	account VARCHAR NOT NULL, 
	engine VARCHAR NOT NULL, 
	rating DOUBLE NOT NULL, 
	rd DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	at DOUBLE NOT NULL, 
	games INTEGER NOT NULL, ranked_until DOUBLE DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_rating_standings PRIMARY KEY (version, pool, account, engine)
);
CREATE TABLE rating_steps (
	version INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	pool VARCHAR NOT NULL, 
	account VARCHAR NOT NULL, 
	engine VARCHAR NOT NULL, 
	company BLOB NOT NULL, 
	at DOUBLE NOT NULL, 
	rating_before DOUBLE NOT NULL, 
	rd_before DOUBLE NOT NULL, 
	sigma_before DOUBLE NOT NULL, 
	rating DOUBLE NOT NULL, 
	rd DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	weight DOUBLE NOT NULL, 
	why VARCHAR NOT NULL, 
	flags VARCHAR NOT NULL, 
	CONSTRAINT pk_rating_steps PRIMARY KEY (version, ordinal, seat)
);
CREATE TABLE rating_versions (
	version INTEGER NOT NULL, 
	made_at DOUBLE NOT NULL, 
	basis VARCHAR NOT NULL, 
	ordinal INTEGER NOT NULL, 
	current BOOLEAN NOT NULL, 
	CONSTRAINT pk_rating_versions PRIMARY KEY (version)
);
CREATE TABLE reports (
	id INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	"by" VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	table_id INTEGER, 
	player VARCHAR NOT NULL, 
	text TEXT NOT NULL, 
	closed_at DOUBLE, 
	CONSTRAINT pk_reports PRIMARY KEY (id)
);
CREATE TABLE result_players (
	player VARCHAR NOT NULL, 
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	CONSTRAINT pk_result_players PRIMARY KEY (player, table_id, number)
);
CREATE TABLE results (
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	digest BLOB NOT NULL, 
	started_at DOUBLE NOT NULL, 
	game VARCHAR NOT NULL, 
	variant VARCHAR NOT NULL, 
	width INTEGER NOT NULL, 
	rated BOOLEAN NOT NULL, 
	reason VARCHAR NOT NULL, 
	players TEXT NOT NULL, 
	places TEXT NOT NULL, 
	plies INTEGER NOT NULL, 
	fewest INTEGER NOT NULL, 
	opening BLOB NOT NULL, 
	why VARCHAR NOT NULL, 
	related BOOLEAN NOT NULL, 
	ordinal INTEGER, 
	annulled_at DOUBLE, 
	CONSTRAINT pk_results PRIMARY KEY (table_id, number)
);
CREATE TABLE roles (
	role VARCHAR NOT NULL, 
	node INTEGER, 
	epoch INTEGER NOT NULL, 
	CONSTRAINT pk_roles PRIMARY KEY (role)
);
INSERT INTO "roles" VALUES('lobby',NULL,0);
INSERT INTO "roles" VALUES('janitor',NULL,0);
INSERT INTO "roles" VALUES('ratings',NULL,0);
CREATE TABLE scores (
	folded VARCHAR NOT NULL, 
	table_id INTEGER NOT NULL, 
	since DOUBLE NOT NULL, 
	seq INTEGER NOT NULL, 
	closed BOOLEAN NOT NULL, 
	game VARCHAR NOT NULL, 
	private BOOLEAN NOT NULL, 
	won INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	won_of_programs INTEGER NOT NULL, 
	lost_to_programs INTEGER NOT NULL, 
	drawn_with_programs INTEGER NOT NULL, 
	CONSTRAINT pk_scores PRIMARY KEY (folded, table_id)
);
CREATE TABLE seats (
	table_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (table_id, seat), 
	CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "seats" VALUES(1,0,3,'Alice','');
INSERT INTO "seats" VALUES(1,1,3,'Bob','');
INSERT INTO "seats" VALUES(2,0,3,'Alice','');
INSERT INTO "seats" VALUES(2,1,3,'Bob','');
INSERT INTO "seats" VALUES(3,0,3,'Alice','');
INSERT INTO "seats" VALUES(3,1,3,'Bob','');
INSERT INTO "seats" VALUES(4,0,3,'Alice','');
INSERT INTO "seats" VALUES(4,1,3,'Bob','');
INSERT INTO "seats" VALUES(5,0,3,'Alice','');
INSERT INTO "seats" VALUES(5,1,3,'Bob','');
INSERT INTO "seats" VALUES(6,0,3,'Alice','');
INSERT INTO "seats" VALUES(6,1,3,'Bob','');
INSERT INTO "seats" VALUES(7,0,3,'Alice','');
INSERT INTO "seats" VALUES(7,1,3,'Bob','');
INSERT INTO "seats" VALUES(8,0,3,'Alice','');
INSERT INTO "seats" VALUES(8,1,3,'Bob','');
INSERT INTO "seats" VALUES(9,0,3,'Alice','');
INSERT INTO "seats" VALUES(9,1,3,'Bob','');
INSERT INTO "seats" VALUES(10,0,3,'Alice','');
INSERT INTO "seats" VALUES(10,1,3,'Bob','');
CREATE TABLE shares (
	"key" VARCHAR NOT NULL, 
	table_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	folded VARCHAR NOT NULL, 
	made_at DOUBLE NOT NULL, 
	CONSTRAINT pk_shares PRIMARY KEY ("key")
);
CREATE TABLE tables (
	id INTEGER NOT NULL, 
	epoch INTEGER NOT NULL, 
	last_seq INTEGER NOT NULL, 
	status VARCHAR(9) NOT NULL, 
	game VARCHAR NOT NULL, 
	variant VARCHAR NOT NULL, 
	secret BLOB NOT NULL, 
	opened_at DOUBLE NOT NULL, pair VARCHAR, node INTEGER, registrant VARCHAR, 
	CONSTRAINT pk_tables PRIMARY KEY (id), 
	CONSTRAINT ck_tables_status CHECK (status IN ('open', 'playing', 'adjourned', 'over'))
);
INSERT INTO "tables" VALUES(1,1,57,'over','arimaa','official',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(2,1,57,'over','checkers','english',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(3,1,57,'over','chess','normal',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(4,1,54,'over','connect_four','standard',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(5,1,57,'over','go','area',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(6,1,57,'over','hnefatafl','copenhagen',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(7,1,88,'over','ludo','maedn',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(8,1,57,'over','open','any',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(9,1,57,'over','reversi','standard',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
INSERT INTO "tables" VALUES(10,1,24,'over','tic_tac_toe','standard',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1770000000.25,NULL,NULL,NULL);
CREATE TABLE tickets (
	table_id INTEGER NOT NULL, 
	digest BLOB NOT NULL, 
	seat INTEGER NOT NULL, 
	CONSTRAINT pk_tickets PRIMARY KEY (table_id, digest), 
	CONSTRAINT fk_tickets_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE web_sessions (
	digest BLOB NOT NULL, 
	kind VARCHAR(7) NOT NULL, 
	folded VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	created_at DOUBLE NOT NULL, 
	used_at DOUBLE NOT NULL, 
	expires_at DOUBLE NOT NULL, 
	CONSTRAINT pk_web_sessions PRIMARY KEY (digest), 
	CONSTRAINT ck_web_sessions_kind CHECK (kind IN ('account', 'guest', 'host'))
);
CREATE TABLE webhooks (
	folded VARCHAR NOT NULL, 
	digest BLOB NOT NULL, 
	address VARCHAR NOT NULL, 
	secret BLOB NOT NULL, 
	made_at DOUBLE NOT NULL, 
	CONSTRAINT pk_webhooks PRIMARY KEY (folded)
);
CREATE INDEX ix_tables_status_id ON tables (status, id);
CREATE UNIQUE INDEX ix_tables_game_pair ON tables (game, pair) WHERE pair IS NOT NULL AND status != 'over';
CREATE INDEX ix_acts_at ON acts (at);
CREATE INDEX ix_account_tokens_folded ON account_tokens (folded);
CREATE INDEX ix_web_sessions_folded ON web_sessions (folded);
CREATE INDEX ix_web_sessions_expires_at ON web_sessions (expires_at);
CREATE INDEX ix_reports_closed_at_id ON reports (closed_at, id);
CREATE INDEX ix_players_table_id ON players (table_id);
CREATE INDEX ix_tables_node_id ON tables (node, id) WHERE status != 'over';
CREATE INDEX ix_tables_pair_id ON tables (pair, id) WHERE pair IS NOT NULL;
CREATE INDEX ix_tickets_digest ON tickets (digest);
CREATE UNIQUE INDEX ix_nodes_name ON nodes (name) WHERE buried IS 0;
CREATE INDEX ix_tables_registrant ON tables (registrant) WHERE registrant IS NOT NULL AND status != 'over';
CREATE INDEX ix_analyses_asked_at ON analyses (asked_at);
CREATE INDEX ix_notices_at ON notices (at) WHERE told_at IS NULL AND seen_at IS NULL;
CREATE INDEX ix_push_subscriptions_folded ON push_subscriptions (folded);
CREATE INDEX ix_push_tickets_ticket ON push_tickets (ticket);
CREATE INDEX ix_push_deliveries_due_at ON push_deliveries (due_at);
CREATE UNIQUE INDEX ix_shares_table_id ON shares (table_id);
CREATE INDEX ix_shares_folded ON shares (folded);
CREATE INDEX ix_guest_seats_folded_table_id ON guest_seats (folded, table_id);
CREATE INDEX ix_mail_addresses_address ON mail_addresses (address);
CREATE INDEX ix_mail_addresses_code ON mail_addresses (code);
CREATE INDEX ix_mail_addresses_off ON mail_addresses (off);
CREATE INDEX ix_mail_deliveries_due_at ON mail_deliveries (due_at);
CREATE INDEX ix_scores_table_id ON scores (table_id);
CREATE UNIQUE INDEX ix_results_ordinal ON results (ordinal);
CREATE INDEX ix_results_at_table_id_number ON results (at, table_id, number) WHERE ordinal IS NULL;
CREATE INDEX ix_rating_steps_version_account_engine_ordinal ON rating_steps (version, account, engine, ordinal);
CREATE INDEX ix_rating_steps_version_company_ordinal ON rating_steps (version, company, ordinal);
CREATE INDEX ix_rating_standings_version_pool_rating ON rating_standings (version, pool, rating);
CREATE INDEX ix_results_annulled_at ON results (annulled_at) WHERE annulled_at IS NOT NULL;
CREATE INDEX ix_rating_standings_places ON rating_standings (version, pool, rating, account, engine, ranked_until);
CREATE INDEX ix_rating_standings_version_pool_ranked_until ON rating_standings (version, pool, ranked_until);
CREATE INDEX ix_rating_steps_version_pool_account_engine_ordinal ON rating_steps (version, pool, account, engine, ordinal);
CREATE INDEX ix_follows_other ON follows (other);
CREATE INDEX ix_blocks_other ON blocks (other);
CREATE INDEX ix_accounts_bot_since ON accounts (bot_since) WHERE bot_since IS NOT NULL;
CREATE UNIQUE INDEX ix_identities_folded_issuer ON identities (folded, issuer);
COMMIT;
