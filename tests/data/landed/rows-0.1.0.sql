-- The rows of a store that holdfast 0.1.0 made (migrations 0001 to 0005); taken with sqlite3's dump.
INSERT INTO "project" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','me','/w/.git','w',1790000000000000);
INSERT INTO "worktree" VALUES('01a1e78c-4fa4-70d2-95b6-8c0c33823c5f','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','/w',1790000000000000);
INSERT INTO "session" VALUES('01a0c450-6c00-7e72-a7c8-7e44cfbb502b','me','c1','',NULL,1,'01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','01a1e78c-4fa4-70d2-95b6-8c0c33823c5f',NULL,'',1790000000000000,1790000000000000,NULL,NULL);
INSERT INTO "session" VALUES('01a0c487-5a80-7339-8743-cf1913d492ff','me','c2','',NULL,1,'01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','01a1e78c-4fa4-70d2-95b6-8c0c33823c5f',NULL,'',1790003600000000,1790003600000000,NULL,NULL);
INSERT INTO "prompt" VALUES('01a0c450-6c00-70ec-b57e-e8eeec139d97','c1','','01a0c450-6c00-7e72-a7c8-7e44cfbb502b','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'why does the importer of c1 fail, ünïcode – “quotes” and a
new line?',1790000000000000);
INSERT INTO "prompt" VALUES('01a0c487-5a80-7967-b3d5-381aca7c8fc2','c2','','01a0c487-5a80-7339-8743-cf1913d492ff','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'why does the importer of c2 fail, ünïcode – “quotes” and a
new line?',1790003600000000);
INSERT INTO "observation" VALUES('01a0c450-6c00-7ced-b52f-c066403ad0cd','01a0c450-6c00-7e72-a7c8-7e44cfbb502b','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'edit','Edit','Edited src/importer.py: read','','agent','["src/importer.py"]',NULL,'- old
+ new','abc123',1790000060000000);
INSERT INTO "observation" VALUES('01a0c450-6c00-7c31-8f72-1751930d251f','01a0c450-6c00-7e72-a7c8-7e44cfbb502b','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'test','Bash','Ran pytest: 3 passed','passed','tool',NULL,'pytest -q','3 passed',NULL,1790000120000000);
INSERT INTO "observation" VALUES('01a0c487-5a80-7405-8964-93ad203d66b2','01a0c487-5a80-7339-8743-cf1913d492ff','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'edit','Edit','Edited src/importer.py: read','','agent','["src/importer.py"]',NULL,'- old
+ new','abc123',1790003660000000);
INSERT INTO "observation" VALUES('01a0c487-5a80-7095-83b9-6db0bca16fc9','01a0c487-5a80-7339-8743-cf1913d492ff','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'test','Bash','Ran pytest: 3 passed','passed','tool',NULL,'pytest -q','3 passed',NULL,1790003720000000);
INSERT INTO "summary" VALUES('01a0c450-6c00-736f-8f9c-1a3b0c1e612c','turn:01a0c450-6c00-70ec-b57e-e8eeec139d97','turn','c1','01a0c450-6c00-7e72-a7c8-7e44cfbb502b','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'The importer of c1','why','read','edited','a stale lock','','','passed','["a.py"]','rules',1790000180000000);
INSERT INTO "summary" VALUES('01a0c487-5a80-7ff4-8da1-1ae498bc909f','turn:01a0c487-5a80-7967-b3d5-381aca7c8fc2','turn','c2','01a0c487-5a80-7339-8743-cf1913d492ff','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0',1,'The importer of c2','why','read','edited','a stale lock','','','passed','["a.py"]','rules',1790003780000000);
INSERT INTO "memory" VALUES('01a0c450-6c00-7bc3-bef1-6fea21b8c2d3','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','The lock is taken tw','The lock is taken twice.','["lock"]','["src/lock.py"]','user','',1790000240000000,1790000240000000);
INSERT INTO "memory" VALUES('01a0c450-6c00-7076-9683-f41799406be8','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','The lock is taken on','The lock is taken once, since 2.0.','["lock"]','["src/lock.py"]','user','',1790000240000000,1790000240000000);
INSERT INTO "memory" VALUES('01a0c487-5a80-75ed-81da-55f0e6fad4b7','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','The lock is taken tw','The lock is taken twice.','["lock"]','["src/lock.py"]','user','',1790003840000000,1790003840000000);
INSERT INTO "memory" VALUES('01a0c487-5a80-77ca-af8c-a7321e26914e','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','The lock is taken on','The lock is taken once, since 2.0.','["lock"]','["src/lock.py"]','user','',1790003840000000,1790003840000000);
INSERT INTO "memory" VALUES('01a0c450-6c00-7ad3-a717-5fb88ef1fbe2','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','The guide','The guide tells how retries are set, see https://docs.example/guide and https://docs.example/faq.',NULL,NULL,'user','',1790004800000000,1790004800000000);
INSERT INTO "supersession" VALUES('01a0c450-6c00-7bc3-bef1-6fea21b8c2d3','01a0c450-6c00-7076-9683-f41799406be8','newer','user',1790000300000000);
INSERT INTO "supersession" VALUES('01a0c487-5a80-75ed-81da-55f0e6fad4b7','01a0c487-5a80-77ca-af8c-a7321e26914e','newer','user',1790003900000000);
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/importer.py',1790000060000000,'01a0c450-6c00-7ced-b52f-c066403ad0cd');
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/importer.py',1790003660000000,'01a0c487-5a80-7405-8964-93ad203d66b2');
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/lock.py',1790000240000000,'01a0c450-6c00-7076-9683-f41799406be8');
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/lock.py',1790000240000000,'01a0c450-6c00-7bc3-bef1-6fea21b8c2d3');
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/lock.py',1790003840000000,'01a0c487-5a80-75ed-81da-55f0e6fad4b7');
INSERT INTO "touched_file" VALUES('01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','src/lock.py',1790003840000000,'01a0c487-5a80-77ca-af8c-a7321e26914e');
INSERT INTO "injection" VALUES('01a0c450-6c00-7a74-afab-2f4b27fb5104','01a0c450-6c00-7076-9683-f41799406be8','recall','','c1','',0.5,'{"words":0.5}',12,1790000360000000);
INSERT INTO "injection" VALUES('01a0c487-5a80-7148-b5f4-d73c5440e88c','01a0c487-5a80-77ca-af8c-a7321e26914e','recall','','c2','',0.5,'{"words":0.5}',12,1790003960000000);
INSERT INTO "cited_page" VALUES('01a0c450-6c00-7ad3-a717-5fb88ef1fbe2','https://docs.example/guide','v1');
INSERT INTO "cited_page" VALUES('01a0c450-6c00-7ad3-a717-5fb88ef1fbe2','https://docs.example/faq','v1');
INSERT INTO "lost_context" VALUES('c1',1790000420000000);
INSERT INTO "lost_context" VALUES('c2',1790000420000000);
INSERT INTO "model_summary" VALUES('turn:01a0c450-6c00-70ec-b57e-e8eeec139d97','f1','{"title": "The lock", "learned": "a worn gasket"}','{"title": "The importer", "files": ["a.py"]}',1790000480000000);
INSERT INTO "model_summary" VALUES('turn:01a0c487-5a80-7967-b3d5-381aca7c8fc2','f1','{"title": "The lock", "learned": "a worn gasket"}','{"title": "The importer", "files": ["a.py"]}',1790000540000000);
INSERT INTO "citation" VALUES('01a0c450-6c00-7d59-b981-7b6048a7b760','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','https://docs.example/guide','https://docs.example/guide','https://docs.example/guide','"1"',NULL,'text/html','','v1','p',1790000000000000,1790000000000000,0,NULL);
INSERT INTO "citation" VALUES('01a0c450-6c00-7908-8c30-eafcbfc976ee','me','01a1e78c-4fa4-70d1-8be3-f1ae1924ecd0','https://docs.example/faq','https://docs.example/faq','https://docs.example/faq','"1"',NULL,'text/html','','v1','p',1790000000000000,1790000000000000,0,NULL);
INSERT INTO "reading" VALUES('01a0c450-6c00-72dc-9f3b-8f7a590196d1','01a0c450-6c00-7d59-b981-7b6048a7b760','k','how','Five attempts.','v1','d',200,14,900,20,'me',1790000000000000,1790000000000000,0);
INSERT INTO "citation_change" VALUES('01a1e78c-4fb2-7047-b634-22089e9fdd89','me','https://docs.example/guide','v1','v2',1790005400000000);
INSERT INTO "citation_change" VALUES('01a1e78c-4fb2-7048-92f7-870b1168a5a0','me','https://docs.example/guide','v1','',1790005460000000);
