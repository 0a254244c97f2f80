BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE campaigns (
	scope BIGINT NOT NULL, 
	guild_id BIGINT NOT NULL, 
	organiser_id BIGINT NOT NULL, 
	system TEXT NOT NULL, 
	name TEXT NOT NULL, 
	commitment TEXT NOT NULL, 
	matching TEXT NOT NULL, 
	encounters BIGINT NOT NULL, 
	start_points BIGINT NOT NULL, 
	"limit" BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	round BIGINT NOT NULL, 
	report BIGINT NOT NULL, 
	revealed_seed TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	CONSTRAINT pk_campaigns PRIMARY KEY (scope)
);
CREATE TABLE conditions (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	model BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	value BIGINT NOT NULL, 
	until TEXT NOT NULL, 
	source TEXT NOT NULL, 
	turn BIGINT NOT NULL, 
	CONSTRAINT pk_conditions PRIMARY KEY (scope, id)
);
CREATE TABLE crews (
	scope BIGINT NOT NULL, 
	guild_id BIGINT NOT NULL, 
	owner_id BIGINT NOT NULL, 
	system TEXT NOT NULL, 
	name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	traits TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_crews PRIMARY KEY (scope)
);
CREATE TABLE encounters (
	scope BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	guild_id BIGINT NOT NULL, 
	system TEXT NOT NULL, 
	name TEXT NOT NULL, 
	organiser_id BIGINT NOT NULL, 
	commitment TEXT NOT NULL, 
	status TEXT NOT NULL, 
	turn BIGINT NOT NULL, 
	turns BIGINT NOT NULL, 
	revealed_seed TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_encounters PRIMARY KEY (scope)
);
INSERT INTO "encounters" VALUES(1,500,900,'soluna','sol''una',100,'ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5','setup',0,0,'','{}','{}');
CREATE TABLE entrants (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	owner_id BIGINT NOT NULL, 
	owner TEXT NOT NULL, 
	name TEXT NOT NULL, 
	crew BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	traits TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_entrants PRIMARY KEY (scope, id)
);
CREATE TABLE fixtures (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	round BIGINT NOT NULL, 
	home BIGINT NOT NULL, 
	away BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	CONSTRAINT pk_fixtures PRIMARY KEY (scope, id)
);
CREATE TABLE journal (
	id INTEGER NOT NULL, 
	scope BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	minor BOOLEAN NOT NULL, 
	parent BIGINT NOT NULL, 
	target BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	interaction_id BIGINT NOT NULL, 
	actor_id BIGINT NOT NULL, 
	actor TEXT NOT NULL, 
	command TEXT NOT NULL, 
	input TEXT NOT NULL, 
	action_key TEXT NOT NULL, 
	title TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	dice TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	repeats BIGINT NOT NULL, 
	faces TEXT NOT NULL, 
	touches TEXT NOT NULL, 
	changes TEXT NOT NULL, 
	reply TEXT NOT NULL, 
	at_ms BIGINT NOT NULL, 
	CONSTRAINT pk_journal PRIMARY KEY (id), 
	CONSTRAINT uq_journal_interaction_id UNIQUE (interaction_id), 
	CONSTRAINT uq_journal_scope_seq UNIQUE (scope, seq)
);
INSERT INTO "journal" VALUES(1,1,1,'do',0,0,0,500,10001,100,'anna','demo','{"system":"soluna"}','9fa43f2bd8ec4499','sol''una: a game to try.','','',-1,0,'[]',',1,2,3,4,5,6,','[["encounters",null,[1,500,900,"soluna","sol''una",100,"ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5","setup",0,0,"","{}","{}"]],["sides",null,[1,1,"Dawnwatch",0,"{}","{}"]],["sides",null,[1,2,"Hollow Moon",0,"{}","{}"]],["seats",null,[1,1,100,"anna",1,"captain","bot"]],["models",null,[1,1,1,100,"Ilka","{\"name\": \"Ilka\", \"size\": 2, \"mind\": 3, \"health\": 3, \"body\": 2, \"shield\": 1, \"speed\": 7, \"cp\": 2, \"weapons\": [{\"name\": \"Gravity Saber\", \"reach\": 2, \"power\": 4, \"accuracy\": 2, \"health\": 2, \"melee\": true}, {\"name\": \"Pulse Laser Ring\", \"reach\": 4, \"power\": 4, \"accuracy\": 1, \"health\": 1}, {\"name\": \"Smoke Grenade\", \"reach\": 5, \"power\": 1, \"accuracy\": 0, \"health\": 1, \"area\": \"burst\", \"area_size\": 2, \"cloud\": 4}], \"items\": []}",0,"play","","","{\"looks\":1,\"x\":4,\"y\":2}"]],["models",null,[1,2,1,100,"Tarn","{\"name\": \"Tarn\", \"size\": 3, \"mind\": 2, \"health\": 4, \"body\": 3, \"shield\": 0, \"speed\": 3, \"cp\": 1, \"weapons\": [{\"name\": \"Particle Accelerator Cannon\", \"reach\": 10, \"power\": 6, \"accuracy\": 4, \"health\": 3, \"blast\": true}], \"items\": [{\"name\": \"Medkit\", \"health\": 1}]}",0,"play","","","{\"looks\":1,\"x\":6,\"y\":1}"]],["models",null,[1,3,1,100,"Brin","{\"name\": \"Brin\", \"size\": 2, \"mind\": 3, \"health\": 3, \"body\": 1, \"shield\": 2, \"speed\": 5, \"cp\": 2, \"traits\": [\"sees in dark\"], \"weapons\": [{\"name\": \"Rail Carbine\", \"reach\": 7, \"power\": 5, \"accuracy\": 2, \"health\": 2}, {\"name\": \"Needle Pistol\", \"reach\": 5, \"power\": 3, \"accuracy\": 4, \"health\": 1}], \"items\": []}",0,"play","","","{\"looks\":1,\"x\":9,\"y\":2}"]],["models",null,[1,4,2,100,"Oska","{\"name\": \"Oska\", \"size\": 3, \"mind\": 2, \"health\": 5, \"body\": 3, \"shield\": 0, \"speed\": 4, \"cp\": 2, \"weapons\": [{\"name\": \"Breach Maul\", \"reach\": 1, \"power\": 6, \"accuracy\": 1, \"health\": 3, \"melee\": true}], \"items\": []}",0,"play","","","{\"looks\":3,\"x\":9,\"y\":9}"]],["models",null,[1,5,2,100,"Vey","{\"name\": \"Vey\", \"size\": 1, \"mind\": 4, \"health\": 2, \"body\": 1, \"shield\": 2, \"speed\": 8, \"cp\": 1, \"traits\": [\"sightless\"], \"weapons\": [{\"name\": \"Focus Ring\", \"reach\": 4, \"power\": 5, \"accuracy\": 2, \"health\": 1}, {\"name\": \"Gravity Saber\", \"reach\": 2, \"power\": 4, \"accuracy\": 2, \"health\": 2, \"melee\": true}], \"items\": []}",0,"play","","","{\"looks\":3,\"x\":7,\"y\":10}"]],["models",null,[1,6,2,100,"Rurik","{\"name\": \"Rurik\", \"size\": 2, \"mind\": 3, \"health\": 3, \"body\": 2, \"shield\": 1, \"speed\": 6, \"cp\": 1, \"weapons\": [{\"name\": \"Rail Carbine\", \"reach\": 7, \"power\": 5, \"accuracy\": 2, \"health\": 2}, {\"name\": \"Shatter Charge\", \"reach\": 5, \"power\": 5, \"accuracy\": 1, \"health\": 1, \"area\": \"star\", \"area_size\": 1}], \"items\": []}",0,"play","","","{\"looks\":3,\"x\":4,\"y\":9}"]],["things",null,[1,1,"board","","{\"height\":10,\"width\":12}","{}"]],["things",null,[1,2,"object","boxes","{\"squares\":[[2,3],[3,3]]}","{\"body\":4,\"whole\":4}"]],["things",null,[1,3,"object","wall","{\"squares\":[[2,6],[2,7],[3,7]]}","{\"body\":7,\"whole\":7}"]],["things",null,[1,4,"object","column","{\"squares\":[[5,5]]}","{\"body\":13,\"whole\":13}"]],["things",null,[1,5,"object","wall 2","{\"squares\":[[8,3],[9,3],[9,4]]}","{\"body\":7,\"whole\":7}"]],["things",null,[1,6,"object","boxes 2","{\"squares\":[[8,7],[9,7]]}","{\"body\":4,\"whole\":4}"]]]','{"lines":["sol''una: a game to try.","Dice are bound by this SHA-256:","`ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5`","Dawnwatch: 3 models.","Hollow Moon: 3 models.","You play both sides until somebody","takes one: /encounter join. Now: Begin."],"buttons":[{"label":"Begin","action":["encounter.next","{}"],"style":"main","anytime":false,"disabled":false,"form":""}]}',1700000000000);
INSERT INTO "journal" VALUES(2,1,2,'do',0,1,0,500,10002,101,'bo','encounter.join','{"side":"Hollow Moon"}','8209bbdc99794bb5','bo plays Hollow Moon now.','','',-1,0,'[]',',4,5,6,','[["seats",null,[1,2,101,"bo",2,"captain","bot"]],["models",[1,4],{"owner_id":[100,101]}],["models",[1,5],{"owner_id":[100,101]}],["models",[1,6],{"owner_id":[100,101]}]]','{"lines":["bo plays Hollow Moon now."]}',1700000000000);
INSERT INTO "journal" VALUES(3,1,3,'do',0,2,0,500,10003,102,'cy','encounter.join','{"watch":true}','b7943b71982dee87','cy watches.','','',-1,0,'[]','','[["seats",null,[1,3,102,"cy",0,"spectator","bot"]]]','{"lines":["cy watches."]}',1700000000000);
INSERT INTO "journal" VALUES(4,1,4,'do',0,3,0,500,10004,100,'anna','model.note','{"model":"Ilka","text":"first"}','2348ec75959c8345','Ilka: first','','',-1,0,'[]',',1,','[["models",[1,1],{"note":["","first"]}]]','{"lines":["Ilka: first"],"buttons":[{"label":"Undo","action":["undo","{}"],"style":"plain","anytime":true,"disabled":false,"form":""}]}',1700000000000);
INSERT INTO "journal" VALUES(5,1,5,'do',0,4,0,500,10005,100,'anna','roll','{"expression":"2d6"}','1516c719e7670f80','anna: 6','','bot',0,0,'[[6,1],[6,5]]','','[]','{"lines":["anna: 6","2d6","1, 5 = 6"],"buttons":[{"label":"Again","action":["roll","{\"expression\":\"2d6\"}"],"style":"plain","anytime":true,"disabled":false,"form":""}]}',1700000000000);
INSERT INTO "journal" VALUES(6,1,6,'do',0,5,0,500,10006,100,'anna','model.note','{"model":"Ilka","text":"second"}','c51c37c369f5f368','Ilka: second','','',-1,0,'[]',',1,','[["models",[1,1],{"note":["first","second"]}]]','{"lines":["Ilka: second"],"buttons":[{"label":"Undo","action":["undo","{}"],"style":"plain","anytime":true,"disabled":false,"form":""}]}',1700000000000);
INSERT INTO "journal" VALUES(7,1,7,'undo',0,5,6,500,10007,101,'bo','undo','{}','59465c9cd1633f34','Undone: ~~Ilka: second~~','','',-1,0,'[]',',1,','[["models",[1,1],{"note":["second","first"]}]]','{"lines":["Undone: ~~Ilka: second~~"],"buttons":[{"label":"Redo","action":["redo","{}"],"style":"plain","anytime":false,"disabled":false,"form":""}]}',1700000000000);
INSERT INTO "journal" VALUES(8,1,8,'do',0,5,0,500,10008,101,'bo','dice.mode','{"mode":"real"}','bc37865ab5d847e1','bo throws real dice now.','','',-1,0,'[]','','[["seats",[1,2],{"dice":["bot","real"]}]]','{"lines":["bo throws real dice now.","The bot asks for the faces.","The log marks them as table dice."]}',1700000000000);
INSERT INTO "journal" VALUES(9,1,9,'do',1,8,0,500,10009,101,'bo','roll','{"expression":"2d6"}','1516c719e7670f80','2d6: throw 2 d6 and tell me.','','',-1,0,'[]','','[["pendings",null,[1,1,101,"roll {\"expression\":\"2d6\"}","","2d6: throw 2 d6 and tell me.",""]]]','{"lines":["2d6: throw 2 d6 and tell me.","Tap the faces, or /dice enter."],"buttons":[{"label":"1","action":["dice.enter","{\"faces\":[1],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"2","action":["dice.enter","{\"faces\":[2],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"3","action":["dice.enter","{\"faces\":[3],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"4","action":["dice.enter","{\"faces\":[4],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"5","action":["dice.enter","{\"faces\":[5],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"6","action":["dice.enter","{\"faces\":[6],\"roll\":1}"],"style":"plain","anytime":false,"disabled":false,"form":""},{"label":"Drop","action":["dice.drop","{}"],"style":"danger","anytime":false,"disabled":false,"form":""}]}',1700000000000);
CREATE TABLE ledger (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	entry BIGINT NOT NULL, 
	entrant BIGINT NOT NULL, 
	member BIGINT NOT NULL, 
	account TEXT NOT NULL, 
	"before" TEXT NOT NULL, 
	"after" TEXT NOT NULL, 
	amount BIGINT NOT NULL, 
	actor_id BIGINT NOT NULL, 
	actor TEXT NOT NULL, 
	cause TEXT NOT NULL, 
	CONSTRAINT pk_ledger PRIMARY KEY (scope, id)
);
CREATE TABLE members (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	profile TEXT NOT NULL, 
	points BIGINT NOT NULL, 
	leader BOOLEAN NOT NULL, 
	note TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (scope, id)
);
CREATE TABLE models (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	side BIGINT NOT NULL, 
	owner_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	profile TEXT NOT NULL, 
	damage BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	left_how TEXT NOT NULL, 
	note TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_models PRIMARY KEY (scope, id)
);
INSERT INTO "models" VALUES(1,1,1,100,'Ilka','{"name": "Ilka", "size": 2, "mind": 3, "health": 3, "body": 2, "shield": 1, "speed": 7, "cp": 2, "weapons": [{"name": "Gravity Saber", "reach": 2, "power": 4, "accuracy": 2, "health": 2, "melee": true}, {"name": "Pulse Laser Ring", "reach": 4, "power": 4, "accuracy": 1, "health": 1}, {"name": "Smoke Grenade", "reach": 5, "power": 1, "accuracy": 0, "health": 1, "area": "burst", "area_size": 2, "cloud": 4}], "items": []}',0,'play','','first','{"looks":1,"x":4,"y":2}');
INSERT INTO "models" VALUES(1,2,1,100,'Tarn','{"name": "Tarn", "size": 3, "mind": 2, "health": 4, "body": 3, "shield": 0, "speed": 3, "cp": 1, "weapons": [{"name": "Particle Accelerator Cannon", "reach": 10, "power": 6, "accuracy": 4, "health": 3, "blast": true}], "items": [{"name": "Medkit", "health": 1}]}',0,'play','','','{"looks":1,"x":6,"y":1}');
INSERT INTO "models" VALUES(1,3,1,100,'Brin','{"name": "Brin", "size": 2, "mind": 3, "health": 3, "body": 1, "shield": 2, "speed": 5, "cp": 2, "traits": ["sees in dark"], "weapons": [{"name": "Rail Carbine", "reach": 7, "power": 5, "accuracy": 2, "health": 2}, {"name": "Needle Pistol", "reach": 5, "power": 3, "accuracy": 4, "health": 1}], "items": []}',0,'play','','','{"looks":1,"x":9,"y":2}');
INSERT INTO "models" VALUES(1,4,2,101,'Oska','{"name": "Oska", "size": 3, "mind": 2, "health": 5, "body": 3, "shield": 0, "speed": 4, "cp": 2, "weapons": [{"name": "Breach Maul", "reach": 1, "power": 6, "accuracy": 1, "health": 3, "melee": true}], "items": []}',0,'play','','','{"looks":3,"x":9,"y":9}');
INSERT INTO "models" VALUES(1,5,2,101,'Vey','{"name": "Vey", "size": 1, "mind": 4, "health": 2, "body": 1, "shield": 2, "speed": 8, "cp": 1, "traits": ["sightless"], "weapons": [{"name": "Focus Ring", "reach": 4, "power": 5, "accuracy": 2, "health": 1}, {"name": "Gravity Saber", "reach": 2, "power": 4, "accuracy": 2, "health": 2, "melee": true}], "items": []}',0,'play','','','{"looks":3,"x":7,"y":10}');
INSERT INTO "models" VALUES(1,6,2,101,'Rurik','{"name": "Rurik", "size": 2, "mind": 3, "health": 3, "body": 2, "shield": 1, "speed": 6, "cp": 1, "weapons": [{"name": "Rail Carbine", "reach": 7, "power": 5, "accuracy": 2, "health": 2}, {"name": "Shatter Charge", "reach": 5, "power": 5, "accuracy": 1, "health": 1, "area": "star", "area_size": 1}], "items": []}',0,'play','','','{"looks":3,"x":4,"y":9}');
CREATE TABLE panels (
	scope BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	message_id BIGINT NOT NULL, 
	posted_ms BIGINT NOT NULL, 
	CONSTRAINT pk_panels PRIMARY KEY (scope)
);
CREATE TABLE "pendings" (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	action TEXT NOT NULL, 
	faces TEXT NOT NULL, 
	prompt TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_pendings PRIMARY KEY (scope, id)
);
INSERT INTO "pendings" VALUES(1,1,101,'roll {"expression":"2d6"}','','2d6: throw 2 d6 and tell me.','');
CREATE TABLE profiles (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	system TEXT NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	points BIGINT NOT NULL, 
	author_id BIGINT NOT NULL, 
	CONSTRAINT pk_profiles PRIMARY KEY (scope, id)
);
CREATE TABLE proposals (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	entrant BIGINT NOT NULL, 
	member BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	text TEXT NOT NULL, 
	amount BIGINT NOT NULL, 
	choice TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	was TEXT NOT NULL, 
	editor TEXT NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (scope, id)
);
CREATE TABLE results (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	fixture BIGINT NOT NULL, 
	entrant BIGINT NOT NULL, 
	opponent BIGINT NOT NULL, 
	result TEXT NOT NULL, 
	points BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	encounter BIGINT NOT NULL, 
	facts TEXT NOT NULL, 
	CONSTRAINT pk_results PRIMARY KEY (scope, id)
);
CREATE TABLE scopes (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	guild_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	version BIGINT NOT NULL, 
	tip BIGINT NOT NULL, 
	rolls BIGINT NOT NULL, 
	open_dice BIGINT NOT NULL, 
	chain TEXT NOT NULL, 
	CONSTRAINT pk_scopes PRIMARY KEY (id)
);
INSERT INTO "scopes" VALUES(1,'encounter',900,500,9,9,1,0,'138d759235db286e2ea371c8cacfe60aef541335eb73ec8228cb9a0f3a86d57b');
CREATE TABLE seats (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	side BIGINT NOT NULL, 
	role TEXT NOT NULL, 
	dice TEXT NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (scope, id)
);
INSERT INTO "seats" VALUES(1,1,100,'anna',1,'captain','bot');
INSERT INTO "seats" VALUES(1,2,101,'bo',2,'captain','real');
INSERT INTO "seats" VALUES(1,3,102,'cy',0,'spectator','bot');
CREATE TABLE secrets (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	owner_id BIGINT NOT NULL, 
	side BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	content TEXT NOT NULL, 
	proof TEXT NOT NULL, 
	revealed BOOLEAN NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (scope, id)
);
CREATE TABLE seeds (
	scope BIGINT NOT NULL, 
	seed TEXT NOT NULL, 
	CONSTRAINT pk_seeds PRIMARY KEY (scope)
);
INSERT INTO "seeds" VALUES(1,'0000000000000000000000000000000000000000000000000000000000000001');
CREATE TABLE sides (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	crew BIGINT NOT NULL, 
	traits TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_sides PRIMARY KEY (scope, id)
);
INSERT INTO "sides" VALUES(1,1,'Dawnwatch',0,'{}','{}');
INSERT INTO "sides" VALUES(1,2,'Hollow Moon',0,'{}','{}');
CREATE TABLE things (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	content TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_things PRIMARY KEY (scope, id)
);
INSERT INTO "things" VALUES(1,1,'board','','{"height":10,"width":12}','{}');
INSERT INTO "things" VALUES(1,2,'object','boxes','{"squares":[[2,3],[3,3]]}','{"body":4,"whole":4}');
INSERT INTO "things" VALUES(1,3,'object','wall','{"squares":[[2,6],[2,7],[3,7]]}','{"body":7,"whole":7}');
INSERT INTO "things" VALUES(1,4,'object','column','{"squares":[[5,5]]}','{"body":13,"whole":13}');
INSERT INTO "things" VALUES(1,5,'object','wall 2','{"squares":[[8,3],[9,3],[9,4]]}','{"body":7,"whole":7}');
INSERT INTO "things" VALUES(1,6,'object','boxes 2','{"squares":[[8,7],[9,7]]}','{"body":4,"whole":4}');
CREATE TABLE tokens (
	scope BIGINT NOT NULL, 
	bag TEXT NOT NULL, 
	kind BIGINT NOT NULL, 
	inside BIGINT NOT NULL, 
	outside BIGINT NOT NULL, 
	CONSTRAINT pk_tokens PRIMARY KEY (scope, bag, kind)
);
CREATE TABLE undone (
	scope BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	action_key TEXT NOT NULL, 
	open BOOLEAN NOT NULL, 
	CONSTRAINT pk_undone PRIMARY KEY (scope, seq)
);
INSERT INTO "undone" VALUES(1,6,'c51c37c369f5f368',0);
CREATE TABLE veterans (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	entrant BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	profile TEXT NOT NULL, 
	points BIGINT NOT NULL, 
	leader BOOLEAN NOT NULL, 
	benched BOOLEAN NOT NULL, 
	status TEXT NOT NULL, 
	note TEXT NOT NULL, 
	counters TEXT NOT NULL, 
	CONSTRAINT pk_veterans PRIMARY KEY (scope, id)
);
CREATE TABLE words (
	scope BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_words PRIMARY KEY (scope, id)
);
CREATE INDEX ix_campaigns_guild_id ON campaigns (guild_id);
CREATE INDEX ix_crews_guild_id ON crews (guild_id, system);
CREATE UNIQUE INDEX uq_encounters_running ON encounters (channel_id) WHERE status != 'ended';
CREATE INDEX ix_journal_channel_id ON journal (channel_id, id);
CREATE INDEX ix_journal_scope_parent ON journal (scope, parent);
CREATE INDEX ix_scopes_channel_id ON scopes (channel_id);
COMMIT;